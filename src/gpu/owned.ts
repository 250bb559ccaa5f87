/** Parts that are made together, and go together: all of them when one cannot be made, and at the end. */

export interface Part {
  destroy(): void;
}

/** Owner of parts. */
export class Owner implements Part {
  readonly #parts: Part[] = [];
  #isOpen = true;

  /** Owns a part from now on. One that comes after the end goes at once. */
  keep<Kept extends Part>(part: Kept): Kept {
    if (this.#isOpen) this.#parts.push(part);
    else part.destroy();
    return part;
  }

  /** Owns what is being made. */
  async keepOnce<Kept extends Part>(making: Promise<Kept>): Promise<Kept> {
    return this.keep(await making);
  }

  destroy(): void {
    this.#isOpen = false;
    for (const part of this.#parts.splice(0).reverse()) part.destroy();
  }
}

/** What `make` makes. Its parts go if it fails, also those that are being made meanwhile. */
export async function owned<Made>(make: (owner: Owner) => Made | Promise<Made>): Promise<Made> {
  const owner = new Owner();
  try {
    return await make(owner);
  } catch (error) {
    owner.destroy();
    throw error;
  }
}
