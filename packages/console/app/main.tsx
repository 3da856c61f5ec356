import "virtual:theme.css";
import "./styles.css";
import { QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import { Router } from "wouter-preact";
import { useHashPath } from "./api/address.ts";
import { queries } from "./api/queries.ts";
import { App } from "./app.tsx";
import { keepPlaces } from "./ui/keep-place.ts";

// The server was updated: the files of this page are gone, and those of the new one are asked for.
addEventListener("vite:preloadError", (event) => {
  event.preventDefault();
  location.reload();
});

keepPlaces();
const place = document.querySelector("#app");
if (place !== null) {
  render(
    <QueryClientProvider client={queries}>
      <Router hook={useHashPath}>
        <App />
      </Router>
    </QueryClientProvider>,
    place,
  );
}
