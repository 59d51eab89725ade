import { statfs } from "node:fs/promises";

const folder = "/dev/shm";
const gigabyte = 1024 ** 3;

/**
 * Returns a folder in memory with room for short-lived files, or null: containers often have none. On some file
 * systems, creating a file takes longer the more files were deleted just before.
 */
export async function memoryFolder(): Promise<string | null> {
  const free = await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free > 2 * gigabyte ? folder : null;
}
