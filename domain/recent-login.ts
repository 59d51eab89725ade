/** Milliseconds after somebody last proved who they are for which what matters most is done without asking again. */
const recentLoginLasts = 15 * 60 * 1000;

/** Whether somebody has proved lately enough who they are to change how they log in, or to take everything along. */
export const isRecentLogin = (provedAt: Date, now: Date): boolean =>
  now.getTime() - provedAt.getTime() < recentLoginLasts;
