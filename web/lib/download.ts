/** Downloads a file from a link; if it is refused, the page stays. */
export function download(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
