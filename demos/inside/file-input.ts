/** Files that the reader chooses, or drops anywhere on the page. */

/**
 * @param input of type `file`
 * @param take gets the first of several, and how many there are
 */
export function listenForFiles(input: HTMLInputElement, take: (file: File, count: number) => void): void {
  const takeFirst = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) take(file, files.length);
  };
  input.addEventListener('change', () => {
    takeFirst(input.files);
    // So that the same file can be chosen again.
    input.value = '';
  });
  const { classList } = document.body;
  addEventListener('dragover', (event) => {
    event.preventDefault();
    classList.add('dropping');
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) classList.remove('dropping');
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    classList.remove('dropping');
    takeFirst(event.dataTransfer?.files);
  });
}
