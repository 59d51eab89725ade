import { IconSelector } from "@tabler/icons-react";
import type { ComponentProps, ReactNode } from "react";
import classes from "./field.module.css";

export type InputProps = ComponentProps<"input"> & {
  /** Inside, before what is typed: a picture or a letter. */
  before?: ReactNode;
  /** Inside, at the end: a button. */
  after?: ReactNode;
};

/** A line of text, named by the `Field` around it or its own `aria-label`. */
export const Input = ({ before, after, ...input }: InputProps) => (
  <div className={classes.control}>
    {before && <div className={classes.before}>{before}</div>}
    <input className={classes.input} {...input} />
    {after && <div className={classes.after}>{after}</div>}
  </div>
);

/** Several lines of text. */
export const TextArea = (textArea: ComponentProps<"textarea">) => (
  <div className={classes.control}>
    <textarea className={classes.input} {...textArea} />
  </div>
);

export type SelectProps = ComponentProps<"select"> & {
  data: readonly (string | { value: string; label: string })[];
};

/** A choice of one; the device's own list. */
export const Select = ({ data, ...select }: SelectProps) => (
  <div className={classes.control}>
    <select className={classes.input} {...select}>
      {data
        .map((each) => (typeof each === "string" ? { value: each, label: each } : each))
        .map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
    </select>
    <div className={classes.arrow}>
      <IconSelector size={20} stroke={1.6} aria-hidden />
    </div>
  </div>
);
