/**
 * Name of the entry in a page's `Server-Timing` header whose duration is the time at which it was sent, in milliseconds
 * since 1970 by the server's clock. A page itself may be older, and scripts can read no other header.
 */
export const sentTiming = "sent";
