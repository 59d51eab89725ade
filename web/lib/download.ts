/** Follows a link to a file as a download: if it is refused, the page stays where it is. */
export function download(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
