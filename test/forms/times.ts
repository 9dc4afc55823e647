import { TICKS_PER_MS, TICKS_PER_SECOND } from "./text.ts";

const two = (n: number): string => String(n).padStart(2, "0");

function seconds(ticks: bigint): string {
  return new Date(Number(ticks / TICKS_PER_MS)).toISOString().slice(0, 19);
}

function fraction(ticks: bigint): string {
  return String(ticks % TICKS_PER_SECOND).padStart(7, "0");
}

function trimmedFraction(ticks: bigint): string {
  const digits = fraction(ticks).replace(/0+$/, "");
  return digits === "" ? "" : `.${digits}`;
}

/** `2026-09-10T06:40:02.5500000Z`: always seven digits. */
export const iso7 = (ticks: bigint): string => `${seconds(ticks)}.${fraction(ticks)}Z`;

/** `2026-09-10T06:40:02.55Z`: no trailing zeros, no fraction on a whole second. */
export const isoTrimmed = (ticks: bigint): string => `${seconds(ticks)}${trimmedFraction(ticks)}Z`;

/** `2026-09-10T06:40:02.550Z`: what a JavaScript `Date` keeps. */
export const isoMs = (ticks: bigint): string => `${seconds(ticks)}.${fraction(ticks).slice(0, 3)}Z`;

/** `2026-09-10T06:40:02.55+00:00`. */
export const isoOffset = (ticks: bigint): string => `${seconds(ticks)}${trimmedFraction(ticks)}+00:00`;

/** `2026-09-10 06:40:02.55 +0000 UTC`: Go's default text. */
export const goUtc = (ticks: bigint): string =>
  `${seconds(ticks).replace("T", " ")}${trimmedFraction(ticks)} +0000 UTC`;

/** `9/3/2026, 5:29:42.893 PM`: the portal in an American browser. */
export function enUs(ticks: bigint): string {
  const date = new Date(Number(ticks / TICKS_PER_MS));
  const hour = date.getUTCHours();
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const day = `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
  return `${day}, ${clock}.${fraction(ticks).slice(0, 3)} ${hour < 12 ? "AM" : "PM"}`;
}

/** `03.09.2026, 17:29:42.893`: the portal in a German browser. */
export function deDe(ticks: bigint): string {
  const [day = "", clock = ""] = seconds(ticks).split("T");
  return `${day.split("-").reverse().join(".")}, ${clock}.${fraction(ticks).slice(0, 3)}`;
}

/** `0.00:00:02.3010000`: an envelope's duration, days always written. */
export function spanWithDays(ticks: number): string {
  const whole = Math.floor(ticks / 1e7);
  const days = Math.floor(whole / 86_400);
  const clock = [Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60].map(two).join(":");
  return `${days}.${clock}.${String(ticks % 1e7).padStart(7, "0")}`;
}

/** `00:00:02.3010000`: .NET's constant format; days and fraction only where there are any. */
export function spanDotnet(ticks: number): string {
  return spanWithDays(ticks)
    .replace(/^0\./, "")
    .replace(/\.0{7}$/, "");
}
