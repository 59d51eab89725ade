import { Anchor, Group } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import classes from "./student-dashboard.module.css";

/** Both buttons open the same modal (spec 2; product decisions, "Application"). */
export function ApplicationsCard({ count, onOpen }: { count: number; onOpen: () => void }) {
  return (
    <Card
      title="Your Applications"
      icon={<IconFileText />}
      action={
        <Group gap="sm">
          <Button variant="default" size="md" aria-haspopup="dialog" onClick={onOpen}>
            Start Application
          </Button>
          <Button variant="default" size="md" aria-haspopup="dialog" onClick={onOpen}>
            View Applications
          </Button>
        </Group>
      }
    >
      <p className={classes.words}>{inWords(count)}</p>
      <p className={classes.words}>
        Courses that you and your agent consider are on your{" "}
        <Anchor component={Link} to="/shortlist">
          Shortlist
        </Anchor>
        .
      </p>
    </Card>
  );
}

function inWords(count: number): string {
  if (count === 0) return "You have not applied yet.";
  return count === 1 ? "You have one application." : `You have ${count} applications.`;
}
