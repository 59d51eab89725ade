/**
 * Names the entry of a page's `Server-Timing` header whose duration is the time of its sending, in milliseconds since
 * 1970 by the server's clock. A page may be older than that: scripts can read this header alone.
 */
export const sentTiming = "sent";
