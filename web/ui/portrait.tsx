import classes from "./portrait.module.css";

/** The files of web/content/portraits by their names. */
const files = import.meta.glob<string>("../content/portraits/*.{svg,jpg,jpeg,png,webp,avif}", {
  eager: true,
  import: "default",
  query: "?url&no-inline",
});

type PortraitProps = { photo: string; size: number; alt?: string };

/** A person's picture, square, `size` pixels wide; `alt` is empty if the name is beside it. */
export const Portrait = ({ photo, size, alt = "" }: PortraitProps) => (
  <img
    src={files[`../content/portraits/${photo}`]}
    alt={alt}
    width={size}
    height={size}
    loading="lazy"
    className={classes.portrait}
  />
);
