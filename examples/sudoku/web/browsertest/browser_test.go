package browsertest

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/web/static"
)

var (
	shots  = flag.String("shots", "", "leave pictures of the pages in this `directory`")
	folder = flag.String("folder", "", "test the pages in this `directory` instead of building them")
)

var (
	browser context.Context // of the browser that all tests share
	site    *httptest.Server
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	path := chrome()
	if path == "" {
		fmt.Println("no browser is installed (chromium or google-chrome in PATH, or CHROME=PATH): the pages are not tested")
		return m.Run() // where each test says that it is skipped
	}
	dir := *folder
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "pages-"); err == nil {
			defer os.RemoveAll(dir)
			build := exec.Command("go", "run", "./examples/sudoku/web/build", "-encodings=identity,gzip", "-o", dir)
			build.Dir, build.Stderr = filepath.FromSlash("../../../.."), os.Stderr
			err = build.Run()
		}
		if err != nil {
			fmt.Println("cannot build the pages:", err)
			return 1
		}
	}
	handler, err := static.New(os.DirFS(dir))
	if err != nil {
		fmt.Println(err)
		return 1
	}
	site = httptest.NewServer(handler)
	defer site.Close()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // which needs another user than root
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	if err := chromedp.Do(ctx); err != nil {
		fmt.Printf("cannot start %s: %v\n", path, err)
		return 1
	}
	browser = ctx
	return m.Run()
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
	problems []string
}

// A screen is what the page is shown on.
type screen struct {
	width, height int64
	dark, phone   bool
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
		path = site.URL + path
	}
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
			to, err := url.Parse(sent.Request.URL)
			if err != nil || (to.Scheme == "http" || to.Scheme == "https") && !strings.HasPrefix(path, to.Scheme+"://"+to.Host+"/") {
				p.note("a request leaves the origin: %s", sent.Request.URL)
			}
		}
	}))
	t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, problem := range p.problems {
			t.Error(problem)
		}
	})
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
	p.do(chromedp.Do(ctx, chromedp.Navigate(path)))
	return p
}

func (p *tab) note(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
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
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](fmt.Sprintf(`(async () => JSON.stringify(await (%s)) ?? 'null')()`, expr), chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expr, err)
	}
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		p.t.Fatalf("%s: %s: %v", expr, text, err)
	}
	return v
}

// wait waits until an expression is true.
func (p *tab) wait(expr string) {
	p.t.Helper()
	ok := js[bool](p, fmt.Sprintf(`new Promise(done => {
		const began = performance.now();
		(function look() {
			let ok = false;
			try { ok = %s; } catch { /* not there yet */ }
			if (ok || performance.now() - began > 30000) done(Boolean(ok));
			else setTimeout(look, 20);
		})();
	})`, expr))
	if !ok {
		p.shot("failed")
		p.t.Fatalf("waited in vain for %s; the page says: %s", expr, js[string](p, `document.body.innerText.slice(0, 2000)`))
	}
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
