import { matchRoutes } from "react-router";
import { doorOf } from "../guards/door.ts";
import { loadedCode, partOf, router } from "./react-router-window.ts";
import { knownVisit } from "./viewer.ts";

type To = Pick<URL, "pathname" | "search">;

/** The code and the styles of a part of the map of URLs, once. What does not come now is loaded when it is needed. */
async function fetchScreen(id: string) {
  const { module = "", css = [] } = partOf(id) ?? {};
  const loaded = loadedCode();
  const [code] = await Promise.all([loaded[id] ?? import(/* @vite-ignore */ module), ...css.map(fetchStyle)]);
  loaded[id] ??= code;
  return loaded[id]?.handle ?? {};
}

const styles = new Set<string>();

function fetchStyle(href: string): Promise<void> | undefined {
  if (styles.has(href) || document.querySelector(`link[rel=stylesheet][href="${href}"]`)) return;
  styles.add(href);
  const link = Object.assign(document.createElement("link"), { rel: "preload", as: "style", href });
  return new Promise((resolve) => {
    const end = () => {
      link.remove();
      resolve();
    };
    link.addEventListener("load", end);
    link.addEventListener("error", end);
    document.head.append(link);
  });
}

/**
 * Fetches a screen ahead of a click: its code, its styles, and what it shows first, if the viewer may see that. Where
 * a guard would send the viewer elsewhere, that screen comes too.
 */
export async function prefetch({ pathname, search }: To): Promise<void> {
  const matches = matchRoutes(router().routes, pathname) ?? [];
  try {
    const handles = await Promise.all(matches.map(({ route }) => fetchScreen(route.id ?? "")));
    const visit = knownVisit();
    const params = matches.at(-1)?.params ?? {};
    const doors = handles.flatMap(({ area }) => (area ? [doorOf(area, visit, { pathname, search })] : []));
    for (const door of doors) if (door.kind === "go") await prefetch(new URL(door.to, location.origin));
    if (visit.state !== "known" || doors.some(({ kind }) => kind !== "enter")) return;
    const place = { params, search: new URLSearchParams(search), viewer: visit.viewer };
    await Promise.all(handles.flatMap(({ ask }) => ask?.(place) ?? []));
  } catch {
    // Nobody has asked for it yet: the click will say what is wrong.
  }
}
