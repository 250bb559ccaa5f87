import { openDevice } from 'scree';

const device = await openDevice(); // hardware if there is one, else the software adapter
console.log(device.adapter.software, device.limits.maxStorageBufferBindingSize);
const software = await openDevice({ adapter: 'software' }); // that, or an error
console.log(software.adapter.description);
device.destroy();
software.destroy();
