/** Returns the address of the login that leads back to this page. */
export const loginPath = (pathname: string): string => `/login?next=${encodeURIComponent(pathname)}`;
