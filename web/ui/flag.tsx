import ae from "flag-icons/flags/4x3/ae.svg?url&no-inline";
import au from "flag-icons/flags/4x3/au.svg?url&no-inline";
import ca from "flag-icons/flags/4x3/ca.svg?url&no-inline";
import de from "flag-icons/flags/4x3/de.svg?url&no-inline";
import gb from "flag-icons/flags/4x3/gb.svg?url&no-inline";
import ie from "flag-icons/flags/4x3/ie.svg?url&no-inline";
import us from "flag-icons/flags/4x3/us.svg?url&no-inline";
import type { CountryCode } from "../content/countries.ts";
import classes from "./flag.module.css";

const files: Record<CountryCode, string> = { ae, au, ca, de, gb, ie, us };

/** A country's flag beside its name: decorative, and from our own server. */
export const Flag = ({ code }: { code: CountryCode }) => (
  <img src={files[code]} alt="" width={24} height={18} loading="lazy" className={classes.flag} />
);
