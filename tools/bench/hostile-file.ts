/** A file that is made on demand, because all of them together are large. */
export type HostileFile = { name: string; make: () => Promise<Buffer> };
export const file = (name: string, make: () => Promise<Buffer>): HostileFile => ({ name, make });

export const megabyte: number = 1024 * 1024;
/** Bytes of the largest accepted picture. */
export const most: number = 10 * megabyte;
export const nothing: Buffer = Buffer.alloc(0);
export const latin = (text: string): Buffer => Buffer.from(text, "latin1");
