import { team } from "../../content/team.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { Portrait } from "../../ui/portrait.tsx";
import classes from "./meet-the-team.module.css";

const title = "Meet the Team";

export const meta = () =>
  publicMeta("/meet-the-team", title, "The people behind Wayfare: who they are and what they do for you.");

export default function MeetTheTeam() {
  return (
    <Page title={title} lead="The people who choose our agents, talk to the universities and answer you.">
      <ul className={classes.team}>
        {team.map(({ name, position, photo, line }) => (
          <li key={name} className={classes.member}>
            <Portrait photo={photo} size={320} alt={`Portrait of ${name}`} />
            <h2 className={classes.name}>{name}</h2>
            <p className={classes.position}>{position}</p>
            <p className={classes.line}>{line}</p>
          </li>
        ))}
      </ul>
    </Page>
  );
}
