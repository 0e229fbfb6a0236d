package servertest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/server/common/testing/freeport"
	"log/slog"
)

// This program is also the server, and a worker, as its environment says.
const role, roleFile, rolePort = "SERVERTEST_ROLE", "SERVERTEST_FILE", "SERVERTEST_PORT"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "server":
		port, _ := strconv.Atoi(os.Getenv(rolePort))
		if _, err := serve(os.Getenv(roleFile), port); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		select {}
	case "worker":
		if err := work(os.Getenv(rolePort)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	status := m.Run()
	if shared != nil {
		shared.kill()
		os.RemoveAll(filepath.Dir(shared.file))
	}
	os.Exit(status)
}

// A process is a server or worker that can be killed.
type process struct {
	cmd        *exec.Cmd
	role, file string
	port       int
}

func (p *process) start() error {
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(os.Environ(), role+"="+p.role, roleFile+"="+p.file, fmt.Sprint(rolePort, "=", p.port))
	p.cmd.Stderr = os.Stderr
	return p.cmd.Start()
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// dial waits until the server answers.
func (p *process) dial() (client.Client, error) {
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		c, err := client.Dial(client.Options{HostPort: fmt.Sprintf("127.0.0.1:%d", p.port), Namespace: namespace, Logger: quiet})
		if err == nil {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			_, err = c.CountWorkflow(ctx, countAll)
			cancel()
			if err == nil {
				return c, nil
			}
			c.Close()
		}
		if time.Since(begin) > time.Minute {
			return nil, err
		}
	}
}

var quiet = log.NewStructuredLogger(slog.New(slog.DiscardHandler))

// newServer starts a server with an empty file.
func newServer() (*process, error) {
	dir, err := os.MkdirTemp("", "temporal")
	if err != nil {
		return nil, err
	}
	p := &process{role: "server", file: filepath.Join(dir, "file.db"), port: freeport.MustGetFreePort()}
	return p, p.start()
}

var shared *process // that of all tests that do not kill it

// server returns a client of a server.
func server(t testing.TB) client.Client {
	t.Helper()
	var err error
	if shared == nil {
		if shared, err = newServer(); err != nil {
			t.Fatal(err)
		}
	}
	c, err := shared.dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}
