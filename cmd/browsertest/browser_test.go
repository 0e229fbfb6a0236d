package browsertest

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

var shots = flag.String("shots", "", "leave pictures of the pages in this `directory`")

var (
	browser context.Context // of the browser that all tests share
	atExit  []func()
)

func TestMain(m *testing.M) {
	flag.Parse()
	status := run(m)
	for _, end := range atExit {
		end()
	}
	os.Exit(status)
}

func run(m *testing.M) int {
	path := chrome()
	if path == "" {
		fmt.Println("no browser is installed (chromium or google-chrome in PATH, or CHROME=PATH): the pages are not tested")
		return m.Run() // where each test says that it is skipped
	}
	ctx, end, err := launch(path)
	if err != nil {
		fmt.Printf("cannot start %s: %v\n", path, err)
		return 1
	}
	defer end()
	browser = ctx
	return m.Run()
}

// launch starts a browser.
func launch(path string, flags ...chromedp.ExecAllocatorOption) (ctx context.Context, end func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // which needs another user than root
	}
	ctx, endAllocator := chromedp.NewExecAllocator(context.Background(), append(options, flags...)...)
	ctx, endBrowser := chromedp.NewContext(ctx)
	end = func() {
		endBrowser()
		endAllocator()
	}
	if err := chromedp.Do(ctx); err != nil {
		end()
		return nil, nil, err
	}
	return ctx, end, nil
}

// launchFor starts a browser for one test, with flags that others do not need.
func launchFor(t *testing.T, flags ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	if browser == nil {
		t.Skip("no browser is installed")
	}
	ctx, end, err := launch(chrome(), flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return ctx
}

func chrome() string {
	for _, name := range []string{os.Getenv("CHROME"), "chromium", "chromium-browser", "google-chrome", "headless-shell"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

// A tab is a page in the browser. What the page writes to the console fails the test: exceptions,
// and what its policy forbids. So does a request to another origin.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	origin   string // host and port
	problems []string
	allowed  []string // parts of problems that are expected
}

// A screen is what the page is shown on.
type screen struct {
	width, height int64
	dark, phone   bool
	language      string // of the browser; "" is English
}

var (
	desk   = screen{width: 1440, height: 900}
	tablet = screen{width: 768, height: 1024}
	phone  = screen{width: 360, height: 640, phone: true}
)

// open opens an address, or a path of the site, in a new tab with an own profile.
func open(t *testing.T, path string, s screen) *tab {
	t.Helper()
	if browser == nil {
		t.Skip("no browser is installed")
	}
	if strings.HasPrefix(path, "/") {
		path = siteURL(t) + path
	}
	p := newTab(t, browser, s)
	p.visit(path)
	return p
}

// newTab opens an empty tab with an own profile in a browser.
func newTab(t *testing.T, browser context.Context, s screen) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx}
	p.do(chromedp.Do(ctx)) // opens the tab
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			p.note("on the console: %v", m)
		}
	}()
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	p.do(err)
	p.do(chromedp.Listen(ctx, func(event any) {
		if sent, ok := event.(*network.EventRequestWillBeSent); ok {
			p.sent(sent.Request.URL)
		}
	}))
	t.Cleanup(p.check)
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	p.do(err)
	_, err = chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: s.width, Height: s.height, DeviceScaleFactor: 1, Mobile: s.phone,
	})
	p.do(err)
	if s.language != "" {
		_, err = chromedp.Call(ctx, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: "test", AcceptLanguage: s.language})
		p.do(err)
	}
	return p
}

// visit goes to an address, to which all requests have to go from now on.
func (p *tab) visit(to string) {
	p.t.Helper()
	parsed, err := url.Parse(to)
	p.do(err)
	p.mu.Lock()
	p.origin = parsed.Host
	p.mu.Unlock()
	p.do(chromedp.Do(p.ctx, chromedp.Navigate(to)))
}

// reload loads the page again. What is evaluated after it is not evaluated in the page before.
func (p *tab) reload() {
	p.t.Helper()
	js[any](p, `(() => { window.isOld = true; setTimeout(() => location.reload()); })()`) // after the answer
	p.wait(`!window.isOld`)
}

// sent notes a request that leaves the origin.
func (p *tab) sent(to string) {
	parsed, err := url.Parse(to)
	p.mu.Lock()
	origin := p.origin
	p.mu.Unlock()
	if err != nil || strings.HasPrefix(parsed.Scheme, "http") && parsed.Host != origin {
		p.note("a request leaves the origin: %s", to)
	}
}

func (p *tab) note(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

// allow expects problems.
func (p *tab) allow(part string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allowed = append(p.allowed, part)
}

// check fails the test for problems that are not allowed.
func (p *tab) check() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, problem := range p.problems {
		if !slices.ContainsFunc(p.allowed, func(part string) bool { return strings.Contains(problem, part) }) {
			p.t.Error(problem)
		}
	}
}

func (p *tab) do(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// js evaluates an expression in the page, which may be a promise, and decodes its value.
func js[T any](p *tab, expr string) T {
	p.t.Helper()
	v, err := evaluate[T](p, expr)
	if err != nil {
		p.t.Fatalf("%s: %v", expr, err)
	}
	return v
}

func evaluate[T any](p *tab, expr string) (v T, err error) {
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](fmt.Sprintf(`(async () => JSON.stringify(await (%s)) ?? 'null')()`, expr), chromedp.EvalAwaitPromise))
	if err == nil {
		err = json.Unmarshal([]byte(text), &v)
	}
	return v, err
}

// wait waits until an expression is true, also if the page is loaded again meanwhile.
func (p *tab) wait(expr string) {
	p.t.Helper()
	look := fmt.Sprintf(`new Promise(done => {
		const began = performance.now();
		(async function look() {
			let ok = false;
			try { ok = %s; } catch { /* not there yet */ }
			if (ok || performance.now() - began > 30000) done(Boolean(ok));
			else setTimeout(look, 20);
		})();
	})`, expr)
	ok, err := evaluate[bool](p, look)
	for tries := 0; err != nil && strings.Contains(err.Error(), "navigated") && tries < 3; tries++ {
		ok, err = evaluate[bool](p, look)
	}
	if err != nil {
		p.t.Fatalf("%s: %v", expr, err)
	}
	if !ok {
		p.shot("failed")
		p.t.Fatalf("%s did not become true; the page says: %s", expr, js[string](p, `document.body.innerText.slice(0, 2000)`))
	}
}

// waitText waits until the text of an element contains a text.
func (p *tab) waitText(selector, text string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector(%q).textContent.includes(%q)`, selector, text))
}

// click clicks with the mouse in the middle of an element.
func (p *tab) click(selector string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 15*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		p.t.Fatalf("click %s: %v", selector, err)
	}
}

// keys presses keys where the focus is.
func (p *tab) keys(keys string) {
	p.t.Helper()
	p.do(chromedp.Do(p.ctx, chromedp.KeyEvent(keys)))
}

// mouse does something with the mouse.
func (p *tab) mouse(event input.DispatchMouseEventParams) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, event)
	p.do(err)
}

// shot leaves a picture.
func (p *tab) shot(name string) {
	p.t.Helper()
	if *shots == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	p.do(err)
	file := cmp.Or(strings.ReplaceAll(p.t.Name(), "/", "-"), "page") + "-" + name + ".png"
	p.do(os.MkdirAll(*shots, 0o755))
	p.do(os.WriteFile(filepath.Join(*shots, file), png, 0o644))
}

// decode decodes a value of the accessibility tree.
func decode(text []byte, v any) error { return json.Unmarshal(text, v) }
