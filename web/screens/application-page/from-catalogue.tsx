import { useQuery } from "@tanstack/react-query";
import type { Application } from "#contract/applications.ts";
import { programmePath } from "#protocol/addresses.ts";
import { TextLink } from "../../ui/text-link.tsx";
import { useAnswers } from "../programmes/programme/answers.ts";
import { IntakeItem } from "../programmes/programme/intakes.tsx";
import { programmeQuery } from "../programmes/programme-query.ts";
import classes from "./application-page.module.css";

type FromCatalogueProps = {
  programme: NonNullable<Application["programme"]>;
  intakeId: Application["intakeId"];
};

/** The programme that an application was filled from, and the chosen start with its deadlines as they are now. */
export function FromCatalogue({ programme: { id, slug }, intakeId }: FromCatalogueProps) {
  const { data } = useQuery(programmeQuery(slug));
  const groups = useAnswers(id).data?.groups ?? [];
  if (!data) return null;
  const { title, institution, intakes, removed } = data;
  const intake = intakes.find((each) => each.id === intakeId);
  return (
    <div className={classes.catalogue}>
      <p>
        In the catalogue:{" "}
        <TextLink to={programmePath(slug)}>
          {title}, {institution.name}
        </TextLink>
      </p>
      {removed && <p>This programme is no longer offered.</p>}
      {intake && (
        <ul>
          <IntakeItem intake={intake} zone={institution.zone} groups={groups} removed={removed} />
        </ul>
      )}
      {intakeId !== null && !intake && <p>The start that was chosen is no longer announced.</p>}
    </div>
  );
}
