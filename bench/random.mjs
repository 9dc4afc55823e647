/**
 * A seeded source of random numbers (sfc32, Chris Doty-Humphrey's small fast counter generator), so that
 * the same seed writes the same file on every machine.
 */
export function createRandom(seed) {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed >>> 0;
  let counter = 1;

  function uint32() {
    const t = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    return t >>> 0;
  }
  for (let i = 0; i < 20; i++) uint32();

  /** In [0, 1). */
  const unit = () => uint32() / 4294967296;
  const normal = () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
  const hex8 = () => uint32().toString(16).padStart(8, "0");

  return {
    unit,
    chance: (p) => unit() < p,
    below: (n) => Math.floor(unit() * n),
    pick: (list) => list[Math.floor(unit() * list.length)],
    exponential: (mean) => -mean * Math.log(1 - unit()),
    logNormal: (median, sigma) => median * Math.exp(sigma * normal()),
    hex: (digits) => {
      let text = "";
      while (text.length < digits) text += hex8();
      return text.slice(0, digits);
    },
    guid: () => {
      const h = hex8() + hex8() + hex8() + hex8();
      return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`;
    },
  };
}
