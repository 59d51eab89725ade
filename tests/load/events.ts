import { spawnSync } from "node:child_process";
import { Redis } from "#tests/redis.ts";

/** Runs the tests of several nodes with a real Redis between them, and those of its faults. Whether they passed. */
export async function testsOverRedis(): Promise<boolean> {
  const redis = await Redis.open();
  try {
    const { status } = spawnSync(
      "npx",
      ["vitest", "run", "--config", "vitest.load.config.ts", "--reporter=dot"],
      { stdio: "inherit", env: { ...process.env, TEST_EVENTS_URL: redis.url } },
    );
    return status === 0;
  } finally {
    await redis.kill();
  }
}
