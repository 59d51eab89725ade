/**
 * What a page can watch over its one event stream. `account`: the holder's own account changed. `agents`: the
 * admin's lists of agents changed. `desk`: something on the holder's own dashboard changed. `notifications`: the bell
 * has something new. `students`: something about any student changed, for everyone who manages students. An event says only that something changed: the page asks again for the truth.
 */
const liveTopics = ["account", "agents", "desk", "notifications", "students"] as const;
export type LiveTopic = (typeof liveTopics)[number];
export const isLiveTopic = (text: string): text is LiveTopic => liveTopics.some((topic) => topic === text);

/** Besides topics a stream carries `signed-out`: its session has ended, and so does the stream. */
export const signedOutEvent = "signed-out";
