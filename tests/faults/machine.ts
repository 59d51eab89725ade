import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Maximum bytes of a command's output. */
const maxBuffer = 10_000_000;
/** Milliseconds that the machine may take to start or stop its services. */
const maxBootTime = 120_000;

/** A Debian with systemd in a folder, booted as a container that shares the network of this machine. */
export class Machine {
  readonly #container: ChildProcess;
  readonly #init: string;
  readonly folder: string;

  private constructor(folder: string, container: ChildProcess, init: string) {
    this.folder = folder;
    this.#container = container;
    this.#init = init;
  }

  /** Creates a Debian in a new folder and boots it; `programs` is mounted there as /opt/wayfare. */
  static async boot(folder: string, programs: string): Promise<Machine> {
    await run("debootstrap", ["--variant=minbase", "--include=systemd-sysv,dbus", "bookworm", folder], {
      maxBuffer,
    });
    const places = [`--directory=${folder}`, `--bind-ro=${programs}:/opt/wayfare`];
    const container = spawn(
      "systemd-nspawn",
      ["--quiet", "--boot", "--register=no", "--keep-unit", "--link-journal=no", ...places],
      // Detached, so that a terminal's Ctrl-C doesn't reach the container.
      { stdio: "ignore", detached: true },
    );
    const init = await firstChild(container);
    const machine = new Machine(folder, container, init);
    await machine.until("systemctl is-system-running --wait", maxBootTime);
    return machine;
  }

  /** Runs shell commands as root and returns their output. Throws if one of them fails. */
  async run(commands: string): Promise<string> {
    const words = ["--target", this.#init, "--mount", "--uts", "--ipc", "--pid", "--cgroup"];
    const { stdout } = await run("nsenter", [...words, "sh", "-ec", commands], { maxBuffer });
    return stdout.trim();
  }

  /** Runs commands until they succeed, and returns their output. Throws their error after `longest` milliseconds. */
  async until(commands: string, longest: number): Promise<string> {
    const deadline = performance.now() + longest;
    for (;;) {
      try {
        return await this.run(commands);
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await setTimeout(500);
      }
    }
  }

  /** Shuts down the machine cleanly, which ends its services. */
  async stop(): Promise<void> {
    const closed = once(this.#container, "close");
    this.#container.kill("SIGTERM");
    await closed;
  }
}

/** Waits for the container's first process. Throws if the container ends first. */
async function firstChild(container: ChildProcess): Promise<string> {
  const { pid } = container;
  const deadline = performance.now() + maxBootTime;
  while (container.exitCode === null && performance.now() < deadline) {
    const children = await readFile(join("/proc", `${pid}`, "task", `${pid}`, "children"), "utf8");
    const [first] = children.split(" ");
    if (first) return first;
    await setTimeout(100);
  }
  throw new Error("the container did not boot");
}
