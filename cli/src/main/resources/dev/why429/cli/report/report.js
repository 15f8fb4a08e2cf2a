(function () {
  "use strict";
  var root = document.documentElement;
  function each(selector, act) { document.querySelectorAll(selector).forEach(act); }

  /* deep links open what they point into */
  function unfold(id) {
    var at = id && document.getElementById(id);
    for (var node = at; node; node = node.parentElement) {
      if (node.tagName === "DETAILS") { node.open = true; }
    }
    if (at) { at.scrollIntoView(); }
  }
  function unfoldHash() {
    var id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch (e) { /* taken as it is */ }
    unfold(id);
  }
  addEventListener("hashchange", unfoldHash);

  /* paper shows everything */
  var shut = [];
  addEventListener("beforeprint", function () {
    each("details:not([open])", function (one) { one.open = true; shut.push(one); });
  });
  addEventListener("afterprint", function () { shut.splice(0).forEach(function (one) { one.open = false; }); });

  /* what scrolls can be reached by keyboard */
  function reachable() {
    each(".scroll, nav", function (box) {
      var scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
      if (box.tagName === "NAV") { return; }
      var caption = box.querySelector("caption, title, summary");
      if (scrolls) {
        box.tabIndex = 0;
        box.setAttribute("role", "region");
        box.setAttribute("aria-label", caption ? caption.textContent : "scrolls sideways");
      } else {
        box.removeAttribute("tabindex");
        box.removeAttribute("role");
        box.removeAttribute("aria-label");
      }
    });
  }
  addEventListener("resize", reachable);
  document.addEventListener("toggle", reachable, true);

  /* where in the page the reader is */
  if ("IntersectionObserver" in window) {
    var links = {};
    each("nav a", function (a) { links[a.getAttribute("href").slice(1)] = a; });
    var seen = new IntersectionObserver(function (entries) {
      entries.forEach(function (entry) {
        var link = links[entry.target.getAttribute("aria-labelledby")];
        if (!link || !entry.isIntersecting) { return; }
        each("nav a[aria-current]", function (a) { a.removeAttribute("aria-current"); });
        link.setAttribute("aria-current", "true");
      });
    }, { rootMargin: "-15% 0px -75% 0px" });
    each("main > section", function (section) { seen.observe(section); });
  }

  /* the answer to a partner */
  var copy = document.getElementById("copy");
  if (copy) {
    copy.hidden = false;
    copy.addEventListener("click", function () {
      var text = document.getElementById("answer-text");
      var said = document.getElementById("copied");
      function byHand() {
        getSelection().selectAllChildren(text);
        said.textContent = document.execCommand("copy") ? "copied" : "selected: copy it with your keyboard";
      }
      if (navigator.clipboard) {
        navigator.clipboard.writeText(text.textContent).then(function () { said.textContent = "copied"; }, byHand);
      } else { byHand(); }
    });
  }

  /* the timeline */
  var data = JSON.parse(document.getElementById("data").textContent);
  var frame = document.getElementById("timeline-chart");
  var plots = [];
  function colour(name) { return getComputedStyle(root).getPropertyValue(name).trim(); }
  var HUES = { allowed: "--allowed", denied_cdn: "--cdn", denied_gateway: "--gateway", denied_app: "--app", denied_third_party: "--third", denied_unknown: "--unknown" };
  var HATCHES = { denied_cdn: [[0, 8, 8, 0]], denied_gateway: [[0, 0, 8, 8]], denied_app: [[0, 4, 8, 4]], denied_third_party: [[4, 0, 4, 8]], denied_unknown: [[0, 0, 8, 8], [0, 8, 8, 0]] };
  /* the same hatching as in the drawing without script: colour is never alone */
  function fill(look) {
    var tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    var pen = tile.getContext("2d");
    pen.fillStyle = colour(HUES[look] || "--unknown");
    pen.fillRect(0, 0, 8, 8);
    pen.strokeStyle = colour("--page");
    pen.globalAlpha = 0.55;
    pen.lineWidth = 1.4;
    (HATCHES[look] || []).forEach(function (line) {
      pen.beginPath();
      pen.moveTo(line[0], line[1]);
      pen.lineTo(line[2], line[3]);
      pen.stroke();
    });
    return pen.createPattern(tile, "repeat");
  }
  function clock(seconds) {
    var text = new Date(Math.round(seconds * 1000)).toISOString();
    return data.step < 1 ? text.slice(11, 23) : text.slice(11, 19);
  }
  function timeline() {
    plots.splice(0).forEach(function (plot) { plot.destroy(); });
    var bins = data.series[0].counts.length;
    var times = [];
    for (var i = 0; i < bins; i++) { times.push(data.from + i * data.step); }
    var first = times[0];
    var last = first + bins * data.step;
    var sums = [];
    var below = new Array(bins).fill(0);
    data.series.forEach(function (one) {
      below = below.map(function (sum, at) { return sum + one.counts[at]; });
      sums.push(below);
    });
    var order = data.series.map(function (one, at) { return at; }).reverse();
    var readout = document.getElementById("timeline-readout");
    function tell(at) {
      readout.textContent = clock(times[at]) + " UTC: " + data.series.map(function (one) { return one.name + " " + one.counts[at].toLocaleString("en"); }).join(", ");
    }
    function signs(u) {
      var pen = u.ctx;
      pen.save();
      pen.strokeStyle = pen.fillStyle = colour("--sign");
      pen.font = "650 " + 12 * devicePixelRatio + "px system-ui, sans-serif";
      data.marks.forEach(function (mark) {
        if ((mark.to || mark.from) < u.scales.x.min || mark.from > u.scales.x.max) { return; }
        var x = Math.max(u.bbox.left, u.valToPos(mark.from, "x", true));
        if (mark.to) {
          var end = Math.min(u.bbox.left + u.bbox.width, u.valToPos(mark.to, "x", true));
          pen.globalAlpha = 0.09;
          pen.fillRect(x, u.bbox.top, end - x, u.bbox.height);
          pen.globalAlpha = 1;
        }
        pen.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
        pen.beginPath();
        pen.moveTo(x, u.bbox.top);
        pen.lineTo(x, u.bbox.top + u.bbox.height);
        pen.stroke();
        pen.fillText(mark.letter, x - 1, u.bbox.top - 5 * devicePixelRatio);
      });
      pen.restore();
    }
    function axis(extra) {
      return Object.assign({ stroke: colour("--soft"), font: "11px system-ui, sans-serif", grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } }, extra);
    }
    function bars(u) { return uPlot.paths.bars({ size: [0.94, 100], align: 1 }); }
    var place = document.getElementById("timeline-plot");
    var width = place.clientWidth;
    var range = { min: first, max: last };
    var strip;
    function zoom(min, max) {
      var least = Math.min(3 * data.step, last - first);
      var span = Math.min(Math.max(max - min, least), last - first);
      min = Math.max(first, Math.min(min, last - span));
      main.setScale("x", { min: min, max: min + span });
    }
    var main = new uPlot({
      width: width, height: 266, legend: { show: false }, padding: [18, 0, 0, 0],
      tzDate: function (seconds) { return uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"); },
      scales: { x: { time: true, min: first, max: last }, y: { range: function (u, min, max) { return [0, Math.max(1, max) * 1.06]; } } },
      axes: [axis({ grid: { show: false }, values: function (u, at) { return at.map(clock); }, space: 90, size: 30 }), axis({ size: 56 })],
      cursor: { drag: { x: true, y: false }, y: false, points: { show: false } },
      series: [{}].concat(order.map(function (at) { return { paths: bars(), fill: function () { return fill(data.series[at].look); }, stroke: "transparent", width: 0, points: { show: false } }; })),
      hooks: {
        draw: [signs],
        setCursor: [function (u) { if (u.cursor.idx != null) { tell(u.cursor.idx); } }],
        setScale: [function (u, key) {
          if (key !== "x") { return; }
          range = { min: u.scales.x.min, max: u.scales.x.max };
          place.dataset.from = range.min;
          place.dataset.to = range.max;
          if (strip) { select(); }
        }],
      },
    }, [times].concat(order.map(function (at) { return sums[at]; })), place);
    function select() {
      var left = strip.valToPos(range.min, "x");
      var whole = range.min <= first && range.max >= last;
      strip.setSelect({ left: whole ? 0 : left, top: 0, width: whole ? 0 : strip.valToPos(range.max, "x") - left, height: strip.bbox.height / devicePixelRatio }, false);
    }
    var stripPlace = document.getElementById("timeline-strip");
    strip = new uPlot({
      width: width, height: 46, legend: { show: false }, padding: [2, 0, 2, 0],
      scales: { x: { time: true, min: first, max: last }, y: { range: function (u, min, max) { return [0, Math.max(1, max)]; } } },
      axes: [{ show: false }, axis({ size: 56, values: function () { return []; }, grid: { show: false } })],
      cursor: { drag: { x: true, y: false, setScale: false }, y: false, points: { show: false } },
      series: [{}, { paths: bars(), fill: colour("--soft"), stroke: "transparent", width: 0, points: { show: false } }],
      hooks: { setSelect: [function (u) { if (u.select.width > 2) { zoom(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")); } }] },
    }, [times, sums[sums.length - 1]], stripPlace);
    plots.push(main, strip);
    timeline.act = function (what) {
      var span = range.max - range.min;
      if (what === "in") { zoom(range.min + span / 4, range.max - span / 4); }
      if (what === "out") { zoom(range.min - span / 2, range.max + span / 2); }
      if (what === "back") { zoom(range.min - span / 3, range.max - span / 3); }
      if (what === "on") { zoom(range.min + span / 3, range.max + span / 3); }
      if (what === "all") { zoom(first, last); }
      readout.textContent = clock(range.min) + " to " + clock(range.max) + " UTC shown";
    };
    place.ondblclick = function () { timeline.act("all"); };
  }
  if (frame && data.series.length && typeof uPlot === "function") {
    frame.querySelector(".still").hidden = true;
    frame.querySelector(".live").hidden = false;
    timeline();
    each("[data-zoom]", function (button) { button.addEventListener("click", function () { timeline.act(button.dataset.zoom); }); });
    var KEYS = { "+": "in", "=": "in", "-": "out", "ArrowLeft": "back", "ArrowRight": "on", "0": "all" };
    document.getElementById("timeline-plot").addEventListener("keydown", function (event) {
      if (KEYS[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        timeline.act(KEYS[event.key]);
      }
    });
    var known = frame.clientWidth;
    addEventListener("resize", function () {
      if (frame.clientWidth !== known) { known = frame.clientWidth; timeline(); }
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", timeline);
  }

  var button = document.getElementById("theme");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", function () {
      var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      if (plots.length) { timeline(); }
    });
  }
  reachable();
  if (location.hash) { unfoldHash(); }
})();
