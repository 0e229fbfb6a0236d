package servertest

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

const root = "../../../.."

// An example is the example of a cluster, whose programs run on this machine: with the commands, files and
// environment of compose.yaml, in other folders and at other ports.
type example struct {
	*testing.T
	dir      string // of compose.yaml, prepare, …
	services map[string]struct {
		Command []string
		Volumes []string
	}
	env    []string
	client *http.Client
	ports  map[string]int // by the name of a service and its port, such as nats1:4222
}

func newExample(t *testing.T) *example {
	e := &example{T: t, dir: t.TempDir(), ports: map[string]int{}}
	if err := os.CopyFS(e.dir, os.DirFS(root+"/cmd/scxmlrun/deploy/cluster")); err != nil {
		t.Fatal(err)
	}
	prepare := exec.Command("sh", "./prepare")
	prepare.Dir = e.dir
	if out, err := prepare.CombinedOutput(); err != nil {
		t.Fatalf("prepare: %v\n%s", err, out)
	}
	var compose struct{ Services any }
	if err := yaml.Unmarshal(e.read("compose.yaml"), &compose); err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(compose.Services) // without anchors
	if err == nil {
		err = yaml.Unmarshal(text, &e.services)
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(e.read("secrets/env"))) {
		e.env = append(e.env, strings.TrimSpace(line))
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(e.read("secrets/prometheus/ca.pem")) {
		t.Fatal("prepare makes no certificate")
	}
	e.client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	for _, at := range []string{"nats1:4222", "nats1:6222", "nats2:4222", "nats2:6222", "nats3:4222", "nats3:6222", "host1:8420", "host2:8420"} {
		free, err := freePorts(1)
		if err != nil {
			t.Fatal(err)
		}
		e.ports[at] = free[0]
	}
	return e
}

func (e *example) read(name string) []byte {
	e.Helper()
	text, err := os.ReadFile(filepath.Join(e.dir, name))
	if err != nil {
		e.Fatal(err)
	}
	return text
}

// here replaces the addresses and folders of a service by those on this machine.
func (e *example) here(service string) *strings.Replacer {
	var all []string
	for at, port := range e.ports {
		all = append(all, at, fmt.Sprint("127.0.0.1:", port))
		if own, ok := strings.CutPrefix(at, service); ok {
			all = append(all, "0.0.0.0"+own, fmt.Sprint("127.0.0.1:", port), "="+own, fmt.Sprint("=:", port))
		}
	}
	for _, volume := range e.services[service].Volumes {
		parts := strings.Split(volume, ":")
		from := filepath.Join(e.dir, "volumes", parts[0])
		switch {
		case strings.HasPrefix(parts[0], "./"):
			from = filepath.Join(e.dir, parts[0])
		case strings.HasPrefix(parts[0], "../"):
			absolute, err := filepath.Abs(filepath.Join(root, "cmd/scxmlrun/deploy/cluster", parts[0]))
			if err != nil {
				e.Fatal(err)
			}
			from = absolute
		default:
			if err := os.MkdirAll(from, 0o700); err != nil {
				e.Fatal(err)
			}
		}
		all = append(all, parts[1], from)
	}
	return strings.NewReplacer(all...)
}

// A running program is a service of the example. Its output may be read when it has ended.
type running struct {
	*exec.Cmd
	out   bytes.Buffer
	ended chan struct{}
}

// start starts a service with a program.
func (e *example) start(service, program string) *running {
	e.Helper()
	here := e.here(service)
	var args []string
	for _, arg := range e.services[service].Command {
		args = append(args, here.Replace(arg))
	}
	p := &running{Cmd: exec.Command(program, args...), ended: make(chan struct{})}
	p.Env = append(os.Environ(), e.env...)
	p.Stdout, p.Stderr = &p.out, &p.out
	if err := p.Start(); err != nil {
		e.Fatal(err)
	}
	go func() {
		p.Wait()
		close(p.ended)
	}()
	e.Cleanup(func() {
		p.Process.Kill()
		<-p.ended
		if e.Failed() {
			text := p.out.String()
			e.Logf("%s says\n%s", service, text[max(0, len(text)-3000):])
		}
	})
	return p
}

// do makes a request to a host, with the token of a file.
func (e *example) do(method, host, path, token, body string) (status int, answer string, err error) {
	url := fmt.Sprintf("https://localhost:%d%s", e.ports[host+":8420"], path)
	req, err := http.NewRequestWithContext(e.Context(), method, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(e.read(token))))
	resp, err := e.client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// await makes a request until the answer has a status and a text.
func (e *example) await(want int, text, method, host, path, token, body string) {
	e.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; <-time.After(100 * time.Millisecond) {
		status, answer, err := e.do(method, host, path, token, body)
		if status == want && strings.Contains(answer, text) {
			return
		}
		if time.Now().After(deadline) {
			e.Fatalf("%s %s of %s: %d %s, %v; want %d with %q", method, path, host, status, answer, err, want, text)
		}
	}
}

// The example of a cluster works: the servers find each other, the hosts share the sessions and serve with the
// certificate and tokens that prepare makes, and one of the three servers may fail.
func TestComposeExample(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("prepare needs openssl")
	}
	server, err := build()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "scxmlrun")
	if out, err := exec.Command("go", "build", "-C", root, "-o", program, "./cmd/scxmlrun").CombinedOutput(); err != nil {
		t.Fatalf("cannot build scxmlrun: %v\n%s", err, out)
	}
	e := newExample(t)
	conf := e.read("nats.conf")
	var first *running
	for _, name := range []string{"nats3", "nats2", "nats1"} {
		own := strings.Replace(strings.Join(e.services[name].Volumes, "\n"), "./nats.conf", "./"+name+".conf", 1)
		s := e.services[name]
		s.Volumes = strings.Split(own, "\n")
		e.services[name] = s
		text := strings.NewReplacer("/data", filepath.Join(e.dir, "volumes", name)).Replace(string(conf))
		if err := os.WriteFile(filepath.Join(e.dir, name+".conf"), []byte(e.here(name).Replace(text)), 0o600); err != nil {
			t.Fatal(err)
		}
		first = e.start(name, server)
	}
	var hosts []*running
	for _, name := range []string{"host1", "host2"} {
		host := e.start(name, program) // which waits for the servers, and they for a leader
		if !e.up(name, host) {
			t.Fatalf("%s does not start", name)
		}
		hosts = append(hosts, host)
	}
	const operator, metrics = "secrets/operator-token", "secrets/prometheus/token"
	for _, host := range []string{"host1", "host2"} {
		e.await(200, "1/2 of the sessions", "GET", host, "/readyz", operator, "")
	}
	e.await(201, `"key":"game"`, "POST", "host1", "/v1/sessions", operator, `{"key":"game","chart":"sudoku"}`)
	e.await(200, `"status":"running"`, "POST", "host2", "/v1/sessions/game/events?wait=true", operator, `{"name":"start"}`)
	e.await(200, `scxml_sessions{chart="sudoku",status="running"} 1`, "GET", "host2", "/metrics", metrics, "")
	e.await(403, "forbidden", "GET", "host1", "/v1/sessions", metrics, "")
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	e.await(200, `"status":"running"`, "POST", "host1", "/v1/sessions/game/events?wait=true", operator, `{"name":"tap","data":{"x":0,"y":0}}`)
	for i, host := range hosts {
		if err := host.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-host.ended
		if status := host.ProcessState.ExitCode(); status != 0 {
			t.Errorf("host%d ends with status %d", i+1, status)
		}
	}
}

// up waits until a host answers, and reports false if it has ended instead.
func (e *example) up(host string, p *running) bool {
	for {
		if status, _, err := e.do("GET", host, "/readyz", "secrets/operator-token", ""); err == nil && status == 200 {
			return true
		}
		select {
		case <-p.ended:
			return false
		case <-time.After(100 * time.Millisecond):
		}
	}
}
