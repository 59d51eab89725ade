import { useMutation, useQuery } from "@tanstack/react-query";
import { type ComponentProps, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { programmeEditPath } from "#protocol/addresses.ts";
import { announce } from "../../lib/announce.ts";
import { draftOf } from "../../lib/drafts.ts";
import { formatDay } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { AdminNav } from "../admin/admin-nav.tsx";
import { JoinProgramme } from "./join-programme.tsx";
import { draftNameOf, ProgrammeForm, type StoredEntry } from "./programme-form.tsx";
import classes from "./programmes.module.css";

export const meta = () => pageMeta("Programme");

/** The page on which staff enter a programme, or change one. */
export default function Programme() {
  const { programmeId = "new" } = useParams();
  return programmeId === "new" ? <NewProgramme /> : <StoredProgramme key={programmeId} id={programmeId} />;
}

const backToList = (
  <p>
    <TextLink to="/admin/programmes">All programmes</TextLink>
  </p>
);

function NewProgramme() {
  const navigate = useNavigate();
  return (
    <Page title="Add a programme">
      <AdminNav />
      {backToList}
      <ProgrammeForm
        stored={null}
        onSaved={(id) => void navigate(programmeEditPath(id), { replace: true })}
      />
    </Page>
  );
}

function StoredProgramme({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(api.catalogue.read.queryOptions({ input: { id } }));
  // The form keeps the version that it was opened with, so that a change by others meanwhile is a conflict.
  const [opened, setOpened] = useState<StoredEntry | null>(null);
  const [joins, setJoins] = useState(0);
  const navigate = useNavigate();
  if (data && !opened) setOpened(data);
  const isOutdated = data !== undefined && opened !== null && data.version > opened.version;
  const isRemoved = data?.removed ?? opened?.removed ?? false;
  async function onJoined(staying: string) {
    if (staying !== data?.id) return navigate(programmeEditPath(staying), { replace: true });
    const joined = await refetch();
    // A form with unsaved texts keeps them, and says that the programme has changed.
    if (!joined.data || Object.keys(draftOf(draftNameOf(staying))).length > 0) return;
    setOpened(joined.data);
    setJoins(joins + 1);
  }
  return (
    <Page title={opened?.entry.title ?? "Programme"}>
      <AdminNav />
      {backToList}
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={480} label="Loading the programme" />}
      {isOutdated && (
        <Notice
          action={
            <Button
              size="compact-md"
              variant="default"
              onClick={() => setOpened({ ...opened, version: data.version })}
            >
              Save over it all the same
            </Button>
          }
        >
          Somebody has changed this programme in the meantime. What you have entered is still here.
        </Notice>
      )}
      {data && (
        <p>
          Checked on {formatDay(data.entry.checkedOn)}
          {data.checkedBy !== null && ` by ${data.checkedBy}`}.
        </p>
      )}
      {opened && isRemoved && (
        <Notice>This programme was taken out of the catalogue. Saving it brings it back.</Notice>
      )}
      {opened && (
        <>
          <ProgrammeForm
            key={joins}
            stored={opened}
            onSaved={async () => {
              const answer = await refetch();
              if (answer.data) setOpened(answer.data);
            }}
            onConflict={() => void refetch()}
          />
          <div className={classes.links}>
            <Removal programme={opened} removed={isRemoved} />
            {!isRemoved && <Joining programme={opened} onJoined={onJoined} />}
          </div>
        </>
      )}
    </Page>
  );
}

function Removal({ programme: { id, entry }, removed }: { programme: StoredEntry; removed: boolean }) {
  const [asking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: () => (removed ? rpc.catalogue.bringBack({ id }) : rpc.catalogue.remove({ id })),
    onSuccess: () => announce(removed ? "The programme is back." : "The programme is out of the catalogue."),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.catalogue.key() }),
  });
  return (
    <>
      <Button
        variant={removed ? "default" : "danger"}
        disabled={change.isPending}
        onClick={() => (removed ? change.mutate() : setAsking(true))}
      >
        {removed ? "Bring it back" : "Take it out of the catalogue"}
      </Button>
      <ConfirmModal
        question={
          asking
            ? {
                title: "Take it out of the catalogue?",
                text: `Nobody finds "${entry.title}" any more. Shortlists and applications keep it.`,
                action: "Take it out",
              }
            : null
        }
        onConfirm={() => {
          setAsking(false);
          change.mutate();
        }}
        onCancel={() => setAsking(false)}
      />
      <ErrorModal title="Not Changed" error={change.error} onClose={change.reset} />
    </>
  );
}

type JoiningProps = Pick<ComponentProps<typeof JoinProgramme>, "programme" | "onJoined">;

function Joining(props: JoiningProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Join with another programme of this university
      </Button>
      <JoinProgramme opened={isOpen} onClose={() => setOpen(false)} {...props} />
    </>
  );
}
