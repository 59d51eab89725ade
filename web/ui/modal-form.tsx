import type { ComponentProps } from "react";
import { Button } from "./button.tsx";
import classes from "./dialog.module.css";
import { DialogActions } from "./dialog.tsx";
import { Form, SubmitButton } from "./form/form.tsx";

type ModalFormProps<Field extends string> = ComponentProps<typeof Form<Field>> & {
  /** The submit button's text; `busyText` is for while the form is sent. */
  action: string;
  busyText: string;
  cancel?: string;
  onCancel: () => void;
};

/** A form in a modal, with the buttons at its end. */
export const ModalForm = <Field extends string>(props: ModalFormProps<Field>) => {
  const { action, busyText, cancel = "Cancel", onCancel, children, ...form } = props;
  return (
    <div className={classes.form}>
      <Form {...form}>
        {children}
        <DialogActions>
          <Button variant="default" size="md" onClick={onCancel}>
            {cancel}
          </Button>
          <SubmitButton busyText={busyText}>{action}</SubmitButton>
        </DialogActions>
      </Form>
    </div>
  );
};
