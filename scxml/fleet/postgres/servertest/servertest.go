// Package servertest runs PostgreSQL servers for tests, each with a database of its own in a temporary
// folder. The programs of the server must be installed; root needs a user "postgres" or "nobody",
// because PostgreSQL does not run as root.
package servertest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A Server is a PostgreSQL server that listens at a Unix socket and on loopback. Its methods are for
// one goroutine at a time.
type Server struct {
	t        testing.TB
	bin, dir string
	port     int
	settings []string
	cmd      *exec.Cmd // nil while it does not run
	exited   chan struct{}
}

// Start starts a server with an empty database, which ends with the test. Settings such as "fsync=off"
// are those of postgresql.conf. Where PostgreSQL is not installed, the test is skipped.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	bin := programs()
	if bin == "" {
		t.Skip("PostgreSQL is not installed: there is no initdb in PATH or /usr/lib/postgresql")
	}
	s := &Server{t: t, bin: bin, settings: settings}
	var err error
	// The folder of t is only for the user of the test, and too long a name for a socket.
	if s.dir, err = os.MkdirTemp("", "pg"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Kill()
		os.RemoveAll(s.dir)
	})
	if err := give(s.dir); err != nil {
		t.Fatal(err)
	}
	initdb := s.command("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C")
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	s.port = freePort(t)
	s.Restart()
	return s
}

// freePort returns a port below those that systems give to outgoing connections: one of these would keep
// a server that is down from its port.
func freePort(t testing.TB) int {
	for tries := 0; ; tries++ {
		port := 10_000 + rand.IntN(20_000)
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port))
		if err == nil {
			l.Close()
			return port
		}
		if tries > 100 {
			t.Fatal(err)
		}
	}
}

// programs returns the folder with the programs of the newest server, or "".
func programs() string {
	if name, err := exec.LookPath("initdb"); err == nil {
		if name, err = filepath.EvalSymlinks(name); err == nil {
			return filepath.Dir(name)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is right
	if len(found) == 0 {
		return ""
	}
	version := func(name string) int {
		n, _ := strconv.Atoi(strings.Split(name, "/")[4]) // 0 is the oldest
		return n
	}
	newest := slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })
	return filepath.Dir(newest)
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// command returns a program of the server, to run as a user who may.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	detach(cmd)
	return cmd
}

// URL names the server's database, at its Unix socket.
func (s *Server) URL() string {
	return fmt.Sprintf("postgres:///postgres?host=%s&port=%d&user=postgres", url.QueryEscape(s.dir), s.port)
}

// Address is where the server listens on loopback, as HOST:PORT. The user is postgres, without a
// password.
func (s *Server) Address() string { return fmt.Sprint("127.0.0.1:", s.port) }

// Dir is the server's folder, with its log in the file "log".
func (s *Server) Dir() string { return s.dir }

// Put writes a file for the server, which only it can read, and returns its name.
func (s *Server) Put(name string, content []byte) string {
	s.t.Helper()
	name = filepath.Join(s.dir, name)
	err := os.WriteFile(name, content, 0o600)
	if err == nil {
		err = give(name)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return name
}

// SQL runs statements with psql, and returns what it prints, without a frame.
func (s *Server) SQL(statements string) string {
	s.t.Helper()
	psql := s.command("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", s.URL())
	psql.Stdin = strings.NewReader(statements)
	out, err := psql.CombinedOutput()
	if err != nil {
		s.t.Fatalf("psql: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// Restart starts a server that does not run, and waits until it accepts connections.
func (s *Server) Restart() {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); !s.ready(); <-time.After(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			s.t.Fatalf("the PostgreSQL server does not start:\n%s", log)
		}
	}
}

// ready reports whether the server accepts connections. It starts one if none runs: processes of the one
// before may have kept it from starting.
func (s *Server) ready() bool {
	if s.cmd == nil {
		s.start()
	}
	select {
	case <-s.exited:
		s.cmd = nil
		return false
	default:
		return s.command("pg_isready", "-q", "-h", s.dir, "-p", strconv.Itoa(s.port)).Run() == nil
	}
}

func (s *Server) start() {
	s.t.Helper()
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	args := []string{"-D", s.data(), "-k", s.dir, "-h", "127.0.0.1", "-p", strconv.Itoa(s.port)}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	cmd := s.command("postgres", args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	exited := make(chan struct{})
	go func() {
		cmd.Wait()
		close(exited)
	}()
	s.cmd, s.exited = cmd, exited
}

// Kill ends all processes of the server at once, as kill -9 does.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	for _, p := range append(children(s.cmd.Process.Pid), s.cmd.Process) {
		if err := p.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			s.t.Errorf("cannot kill a process of PostgreSQL: %v", err)
		}
	}
	<-s.exited
	s.cmd = nil
}

// Stop ends the server in order, but at once: it closes the connections.
func (s *Server) Stop() {
	s.t.Helper()
	if s.cmd == nil {
		return
	}
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		s.t.Fatal(err)
	}
	<-s.exited
	s.cmd = nil
}

// children returns the children of a process, where the system has /proc.
func children(pid int) (all []*os.Process) {
	list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)) // elsewhere they notice that their parent has ended
	for word := range strings.FieldsSeq(string(list)) {
		if n, err := strconv.Atoi(word); err == nil {
			if p, err := os.FindProcess(n); err == nil {
				all = append(all, p)
			}
		}
	}
	return all
}
