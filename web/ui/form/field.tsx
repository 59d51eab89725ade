import { type ReactNode, useId } from "react";
import classes from "./field.module.css";

export type FieldProps = {
  label: string;
  description?: ReactNode;
  /** So that the fields of a pair are in line. */
  descriptionBelow?: boolean | undefined;
  /** What is wrong with it. */
  error?: ReactNode;
  /** Marks it as required, in a form that has fields of both kinds. */
  withAsterisk?: boolean | undefined;
};

type Control = { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };

/** A control with its label, what helps to fill it in and what is wrong with it. */
export function Field({
  label,
  description,
  descriptionBelow,
  error,
  withAsterisk,
  children,
}: FieldProps & { children: (control: Control) => ReactNode }) {
  const id = useId();
  const [descriptionId, errorId] = [`${id}-description`, `${id}-error`];
  const hint = description && (
    <div id={descriptionId} className={classes.description}>
      {description}
    </div>
  );
  return (
    <div>
      <label htmlFor={id} className={classes.label}>
        {label}
        {withAsterisk && (
          <span aria-hidden className={classes.asterisk}>
            {" *"}
          </span>
        )}
      </label>
      {!descriptionBelow && hint}
      {children({
        id,
        "aria-describedby": [error && errorId, hint && descriptionId].filter(Boolean).join(" ") || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {descriptionBelow && hint}
      {error && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
