(function () {
  "use strict";
  function unfold(id) {
    var at = id && document.getElementById(id);
    for (var node = at; node; node = node.parentElement) {
      if (node.tagName === "DETAILS") { node.open = true; }
    }
    if (at) { at.scrollIntoView(); }
  }
  function unfoldHash() { unfold(decodeURIComponent(location.hash.slice(1))); }
  addEventListener("hashchange", unfoldHash);
  if (location.hash) { unfoldHash(); }
  addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (each) { each.open = true; });
  });
  var button = document.getElementById("theme");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", function () {
      var root = document.documentElement;
      var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
    });
  }
})();
