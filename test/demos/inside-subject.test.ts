import { expect, it } from 'vitest';
import { subjectOfFile } from '../../demos/inside/subject.ts';
import { InputError } from '../../src/index.ts';

it('says in one line that a folder is no mesh', async () => {
  const folder = new File([], 'rocks');
  folder.arrayBuffer = () => Promise.reject(new DOMException('not found', 'NotFoundError'));
  const line = 'rocks: cannot be read, expected a file that is there, and no folder';
  await expect(subjectOfFile(folder)).rejects.toThrow(new InputError(line));
});
