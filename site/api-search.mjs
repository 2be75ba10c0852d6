// In pages of the reference: loads the index, the largest script, only when the search is opened.
const script = document.getElementById("tsd-search-script");
const dialog = document.getElementById("tsd-search");
new MutationObserver(() => {
  if (dialog.open && !script.hasAttribute("src")) script.src = script.dataset.src;
}).observe(dialog, { attributes: true });
