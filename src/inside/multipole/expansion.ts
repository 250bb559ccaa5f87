/** What expansions may be asked for. */
import { InputError } from '../../errors.ts';

/** @throws InputError for a degree p or a separation d (eq. 16) out of range */
export function checkExpansion({ degree, separation }: { degree: number; separation: number }): void {
  if (!(Number.isInteger(degree) && degree >= 1 && degree <= 8)) {
    throw new InputError(`degree is ${degree}, expected an integer from 1 to 8`);
  }
  if (!(separation > 1 && Number.isFinite(separation))) {
    throw new InputError(`separation is ${separation}, expected a finite number above 1`);
  }
}
