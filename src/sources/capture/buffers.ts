/** Numbers of a column while it grows. Numbers are row numbers of the request table, which may leave gaps. */
export class NumberColumn {
  values = new Float64Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Float64Array(this.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length++] = value;
  }
}

/** Texts of a column, each kept once. */
export class TextColumn {
  readonly texts: string[] = [];
  readonly codes = new NumberColumn();
  readonly #index = new Map<string, number>();

  push(text: string): void {
    let code = this.#index.get(text);
    if (code === undefined) {
      code = this.texts.push(text) - 1;
      this.#index.set(text, code);
    }
    this.codes.push(code);
  }
}
