import { type ReactNode, useId } from "react";
import classes from "./choice-group.module.css";
import { useForm } from "./form/form.tsx";

type ChoiceGroupProps = {
  legend: string;
  /** The field's name in errors. */
  field: string;
  children: ReactNode;
};

/** The checkboxes of one choice in a form, with its error. */
export function ChoiceGroup({ legend, field, children }: ChoiceGroupProps) {
  const { failure } = useForm();
  const errorId = useId();
  const error = failure?.field === field ? failure.message : null;
  return (
    <fieldset className={classes.group} aria-describedby={error ? errorId : undefined}>
      <legend className={classes.legend}>{legend}</legend>
      {children}
      {error && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
