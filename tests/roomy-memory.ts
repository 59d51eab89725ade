import { statfs } from "node:fs/promises";

const folder = "/dev/shm";
const gigabyte = 1024 ** 3;

/**
 * A folder in memory with room for files that come and go, or null: containers often have none. Some file systems take
 * the longer to create a file the more were deleted just before.
 */
export async function roomyMemory(): Promise<string | null> {
  const free = await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free > 2 * gigabyte ? folder : null;
}
