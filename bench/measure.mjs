import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const GNU_TIME = "/usr/bin/time";
const POLL_MS = 20;
const CLOCK_TICKS_PER_SECOND = 100;

/**
 * Runs `node ARGS…` to its end and returns what it printed with its wall seconds, its CPU seconds (user and
 * system, all threads and child processes) and its peak resident memory in MiB.
 *
 * GNU time reads the kernel's own account, in which the peak is that of the largest single process; a poll
 * of the process tree beside it finds the peak of their sum. Without GNU time the poll alone has to do, and
 * misses at most its last interval. Throws when the command fails or when the system offers neither.
 */
export async function measure(args) {
  const folder = await mkdtemp(join(tmpdir(), "coldstart-bench-"));
  try {
    const account = existsSync(GNU_TIME) ? join(folder, "time.txt") : null;
    if (account === null && !existsSync("/proc/self/status")) {
      throw new Error("measuring needs GNU time in /usr/bin/time or the /proc of Linux");
    }
    const command = [process.execPath, ...args];
    if (account !== null) command.unshift(GNU_TIME, "-v", "-o", account);
    const { stdout, wallSeconds, polled } = await run(command);
    if (account === null) {
      return { stdout, wallSeconds, cpuSeconds: polled.cpuSeconds, peakMiB: polled.peakKiB / 1024 };
    }
    const text = await readFile(account, "utf8");
    const read = (label) => Number(new RegExp(`${label}: ([\\d.]+)`).exec(text)?.[1]);
    return {
      stdout,
      wallSeconds,
      cpuSeconds: read("User time \\(seconds\\)") + read("System time \\(seconds\\)"),
      peakMiB: Math.max(read("Maximum resident set size \\(kbytes\\)"), polled.peakKiB) / 1024,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function run([file, ...args]) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
    const polled = { peakKiB: 0, cpuSeconds: 0, cpuOf: new Map() };
    const timer = setInterval(() => poll(child.pid, polled), POLL_MS);
    const stdout = [];
    const stderr = [];
    child.stdout.on("data", (chunk) => stdout.push(chunk));
    child.stderr.on("data", (chunk) => stderr.push(chunk));
    child.on("error", reject);
    child.on("exit", () => clearInterval(timer));
    child.on("close", (code, signal) => {
      const wallSeconds = (performance.now() - started) / 1000;
      if (code === 0) {
        resolve({ stdout: Buffer.concat(stdout).toString(), wallSeconds, polled });
      } else {
        const end = signal === null ? `exit code ${code}` : `signal ${signal}`;
        reject(new Error(`${[file, ...args].join(" ")}: ${end}\n${Buffer.concat(stderr)}`));
      }
    });
  });
}

/** One look at the tree below `root`: the sum of what is resident now, and the CPU time of each process so far. */
function poll(root, polled) {
  let residentKiB = 0;
  for (const pid of processTree(root)) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      residentKiB += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
      polled.peakKiB = Math.max(polled.peakKiB, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
      // After the name in parentheses; utime and stime are the fields 14 and 15 of proc(5).
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      polled.cpuOf.set(pid, (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND);
    } catch {
      // The process has ended between two reads.
    }
  }
  polled.peakKiB = Math.max(polled.peakKiB, residentKiB);
  polled.cpuSeconds = [...polled.cpuOf.values()].reduce((sum, seconds) => sum + seconds, 0);
}

function processTree(root) {
  const found = [root];
  for (let i = 0; i < found.length; i++) {
    try {
      const children = readFileSync(`/proc/${found[i]}/task/${found[i]}/children`, "utf8");
      for (const pid of children.split(" ")) if (pid.trim() !== "") found.push(Number(pid));
    } catch {
      // Ended, or a system without /proc: GNU time's account stands alone.
    }
  }
  return found;
}
