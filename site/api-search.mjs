// Loads the search index of an API reference when the search is opened, because it is the largest
// script of the page.
const script = document.getElementById("tsd-search-script");
const dialog = document.getElementById("tsd-search");
new MutationObserver(() => {
  if (dialog.open && !script.hasAttribute("src")) script.src = script.dataset.src;
}).observe(dialog, { attributes: true });
