// Loads an API reference's search index only when the search is opened, because it is the largest
// script on the page.
const script = document.getElementById("tsd-search-script");
const dialog = document.getElementById("tsd-search");
new MutationObserver(() => {
  if (dialog.open && !script.hasAttribute("src")) script.src = script.dataset.src;
}).observe(dialog, { attributes: true });
