import type { World } from "./world.ts";

/** What a pull has done so far, told on a terminal while it works; in pipes it is quiet. */
export class PullProgress {
  slices = 0;
  planned = 0;
  rows = 0;
  halved = 0;
  throttled = 0;
  #table = "";
  #begun = 0;
  #doneBefore = 0;
  #last = 0;
  #shown = false;

  /** @param now milliseconds */
  constructor(
    readonly world: World,
    readonly isQuiet: boolean,
    readonly now: () => number,
  ) {
    this.#begun = now();
  }

  async table(name: string, slices: number): Promise<void> {
    this.#table = name;
    this.planned += slices;
    this.#doneBefore = this.slices;
    this.#begun = this.now();
    await this.#show(true);
  }

  async slice(rows: number): Promise<void> {
    this.slices++;
    this.rows += rows;
    await this.#show(false);
  }

  cut(): void {
    this.halved++;
    this.planned++;
  }

  async waiting(reason: string, ms: number): Promise<void> {
    if (reason === "throttled") this.throttled++;
    await this.#line(`${reason}, waiting ${(ms / 1000).toFixed(1)} s`);
  }

  async end(): Promise<void> {
    if (this.#shown) await this.world.stderr.write("\r\u001b[K");
  }

  async #show(always: boolean): Promise<void> {
    if (!always && this.now() - this.#last < 200) return;
    this.#last = this.now();
    const done = this.slices - this.#doneBefore;
    const left = this.planned - this.slices;
    const each = done === 0 ? null : (this.now() - this.#begun) / done;
    const time = each === null ? "" : `, about ${Math.ceil((each * left) / 1000)} s left`;
    await this.#line(
      `${this.#table}: slice ${this.slices} of ${this.planned}, ${this.rows.toLocaleString("en-US")} rows${time}`,
    );
  }

  async #line(text: string): Promise<void> {
    if (this.isQuiet || !this.world.stderr.isTerminal) return;
    this.#shown = true;
    await this.world.stderr.write(`\r\u001b[K${text.slice(0, this.world.stderr.columns - 1)}`);
  }
}
