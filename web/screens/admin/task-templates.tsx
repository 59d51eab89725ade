import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { TaskTemplate } from "#contract/planned-work.ts";
import { studyCountries, studyLevels } from "#domain/application.ts";
import { countryName } from "#domain/country.ts";
import { wrong } from "#domain/problem.ts";
import { checkTask, taskLimits } from "#domain/task.ts";
import { announce } from "../../lib/announce.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { SelectField, TextAreaField, TextField } from "../../ui/form/fields.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AdminNav } from "./admin-nav.tsx";

const title = "Task templates";

export const meta = () => pageMeta(title);

const templatesQuery = api.planner.templates.queryOptions();
const refetchTemplates = () => queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey });

/** The tasks that every new application of a level and country gets. */
export default function TaskTemplates() {
  const { data, error, refetch } = useQuery(templatesQuery);
  const [adding, setAdding] = useState(false);
  const add = (
    <Button aria-haspopup="dialog" onClick={() => setAdding(true)}>
      Add a template
    </Button>
  );
  return (
    <Page title={title} lead="Every new application brings the tasks that fit it.">
      <AdminNav />
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={180} label="Loading templates" />}
      {data?.templates.length === 0 && (
        <EmptyState title="No templates yet" text="Add the tasks that come up again and again.">
          {add}
        </EmptyState>
      )}
      {data && data.templates.length > 0 && (
        <>
          <ItemList label={title}>
            {data.templates.map((template) => (
              <Template key={template.id} template={template} />
            ))}
          </ItemList>
          {data.templates.length < taskLimits.templates && add}
        </>
      )}
      <AddTemplate opened={adding} onClose={() => setAdding(false)} />
    </Page>
  );
}

const dueIn = (days: number | null): string => {
  if (days === null) return "No deadline";
  return days === 1 ? "Due 1 day after the application" : `Due ${days} days after the application`;
};

function Template({ template }: { template: TaskTemplate }) {
  const { id: templateId, title, text, owner, studyLevel, country, dueDays } = template;
  const [asking, setAsking] = useState(false);
  const removal = useMutation({
    mutationFn: () => rpc.planner.removeTemplate({ templateId }),
    onSettled: refetchTemplates,
  });
  const facts = [
    studyLevel ?? "Any level",
    country === null ? "any country" : countryName(country),
    owner === "student" ? "for the student" : "for the agent",
  ];
  return (
    <Item
      name={title}
      details={
        <>
          {text && <p>{text}</p>}
          <p>
            {facts.join(", ")}. {dueIn(dueDays)}.
          </p>
        </>
      }
      actions={
        <>
          <Button
            size="compact-md"
            variant="default"
            disabled={removal.isPending}
            aria-label={`Remove ${title}`}
            onClick={() => setAsking(true)}
          >
            Remove
          </Button>
          <ConfirmModal
            question={
              asking
                ? {
                    title: "Remove this template?",
                    text: `New applications won't bring "${title}" any more. Tasks that are there stay.`,
                    action: "Remove",
                  }
                : null
            }
            onConfirm={() => {
              setAsking(false);
              removal.mutate();
            }}
            onCancel={() => setAsking(false)}
          />
          <ErrorModal title="Error" error={removal.error} onClose={removal.reset} />
        </>
      }
    />
  );
}

const any = { value: "", label: "Any" };
const daysProblem = "Please enter a number of days, or nothing.";

function daysIn(text: string): number | null | "wrong" {
  if (text.trim() === "") return null;
  const days = Number(text);
  return Number.isInteger(days) && days >= 0 && days <= taskLimits.dueDays ? days : "wrong";
}

function AddTemplate({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog wide opened={opened} onClose={onClose} title="Add a template">
      <ModalForm
        errorTitle="Not added"
        draftName="task template"
        fields={["title", "text", "owner", "studyLevel", "country", "dueDays"]}
        check={(values) => {
          const task = checkTask(values);
          if ("code" in task) return task;
          return daysIn(values.dueDays) === "wrong" ? wrong("dueDays", daysProblem) : null;
        }}
        send={async ({ title, text, owner, studyLevel, country, dueDays }) => {
          const days = daysIn(dueDays);
          await rpc.planner.addTemplate({
            title,
            text,
            owner: owner === "agent" ? "agent" : "student",
            studyLevel: studyLevels.find((each) => each === studyLevel) ?? null,
            country: studyCountries.find((each) => each === country) ?? null,
            dueDays: days === "wrong" ? null : days,
          });
          announce("Template added.");
          await refetchTemplates();
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Add template"
        busyText="Adding..."
      >
        <TextField name="title" label="Title" maxLength={taskLimits.title} />
        <TextAreaField optional name="text" label="What to do" maxLength={taskLimits.text} />
        <SelectField
          name="owner"
          label="Whose task it is"
          defaultValue="student"
          data={[
            { value: "student", label: "The student" },
            { value: "agent", label: "The student's agent" },
          ]}
        />
        <SelectField
          name="studyLevel"
          label="Study level"
          required={false}
          defaultValue=""
          data={[any, ...studyLevels.map((level) => ({ value: level, label: level }))]}
        />
        <SelectField
          name="country"
          label="Country"
          required={false}
          defaultValue=""
          data={[any, ...studyCountries.map((code) => ({ value: code, label: countryName(code) }))]}
        />
        <TextField
          optional
          name="dueDays"
          label="Days after the application"
          inputMode="numeric"
          description="Leave it empty for no deadline."
          maxLength={3}
        />
      </ModalForm>
    </Dialog>
  );
}
