import { useEffect } from "react";
import { useNavigate } from "react-router";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";

const shownFor = 2_000;

/** What a non-admin sees at /admin-dashboard for a moment, before going to the home page. */
export function Unauthorized() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate("/", { replace: true }), shownFor);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <Page
      title="Unauthorized Access"
      lead={
        <>
          This page is for administrators.{" "}
          <TextLink to="/" replace>
            Go to the home page
          </TextLink>
        </>
      }
    />
  );
}
