/**
 * A seeded source of random draws (sfc32, Chris Doty-Humphrey's PractRand). Each part of the generator takes
 * its own stream, so that a change in one part does not reshuffle the others.
 */
export function randomSource(seed, label) {
  let a = 0x9e3779b9;
  let b = seed | 0;
  let c = 0x85ebca6b;
  let counter = 1;
  for (const character of label) c = Math.imul(c ^ character.charCodeAt(0), 0x01000193);

  function u32() {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + result) | 0;
    return result >>> 0;
  }
  for (let i = 0; i < 16; i += 1) u32();

  const next = () => u32() / 4_294_967_296;
  const int = (low, high) => low + Math.floor(next() * (high - low + 1));
  /** Twelve uniforms: normal enough here, and made of exact additions only. */
  const normal = () => {
    let sum = -6;
    for (let i = 0; i < 12; i += 1) sum += next();
    return sum;
  };
  return {
    next,
    int,
    between: (low, high) => low + next() * (high - low),
    chance: (p) => next() < p,
    pick: (list) => list[int(0, list.length - 1)],
    exponential: (mean) => -Math.log(1 - next()) * mean,
    logNormal: (median, sigma) => median * Math.exp(sigma * normal()),
    weighted(weights) {
      let rest = next() * weights.reduce((sum, weight) => sum + weight, 0);
      for (let i = 0; i < weights.length; i += 1) {
        rest -= weights[i];
        if (rest < 0) return i;
      }
      return weights.length - 1;
    },
    text(length, alphabet) {
      let result = "";
      for (let i = 0; i < length; i += 1) result += alphabet[int(0, alphabet.length - 1)];
      return result;
    },
    hex(words) {
      let result = "";
      for (let i = 0; i < words; i += 1) result += u32().toString(16).padStart(8, "0");
      return result;
    },
    shuffled(list) {
      const result = [...list];
      for (let i = result.length - 1; i > 0; i -= 1) {
        const j = int(0, i);
        [result[i], result[j]] = [result[j], result[i]];
      }
      return result;
    },
  };
}
