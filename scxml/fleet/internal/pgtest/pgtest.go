// Package pgtest runs PostgreSQL servers for tests, each with a database of its own in a temporary
// folder. The programs of the server must be installed; root needs a user "postgres" or "nobody",
// because PostgreSQL does not run as root. The command pgserver in it is for tests that cannot import it.
package pgtest

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
	t        testing.TB // nil for New
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
	s, err := New(settings...)
	if errors.Is(err, ErrNotInstalled) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	s.t = t
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// ErrNotInstalled is the error of New where PostgreSQL is not installed.
var ErrNotInstalled = errors.New("PostgreSQL is not installed: there is no initdb in PATH or /usr/lib/postgresql")

// New is Start without a test: the caller closes the server.
func New(settings ...string) (s *Server, err error) {
	s = &Server{bin: programs(), settings: settings}
	if s.bin == "" {
		return nil, ErrNotInstalled
	}
	// The folder of a test is only for its user, and too long a name for a socket.
	if s.dir, err = os.MkdirTemp("", "pg"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if err = give(s.dir); err != nil {
		return nil, err
	}
	initdb := s.command("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C")
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	if s.port, err = freePort(); err == nil {
		err = s.restart()
	}
	return s, err
}

// Close kills the server and removes its folder.
func (s *Server) Close() error { return errors.Join(s.kill(), os.RemoveAll(s.dir)) }

// freePort returns a port below those that systems give to outgoing connections: one of these would keep
// a server that is down from its port.
func freePort() (int, error) {
	for tries := 0; ; tries++ {
		port := 10_000 + rand.IntN(20_000)
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port))
		if err == nil {
			return port, l.Close()
		}
		if tries > 100 {
			return 0, err
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
	if err := s.restart(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *Server) restart() error {
	for deadline := time.Now().Add(time.Minute); ; <-time.After(20 * time.Millisecond) {
		if ready, err := s.ready(); ready || err != nil {
			return err
		}
		if time.Now().After(deadline) {
			log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("the PostgreSQL server does not start:\n%s", log)
		}
	}
}

// ready reports whether the server accepts connections. It starts one if none runs: processes of the one
// before may have kept it from starting.
func (s *Server) ready() (bool, error) {
	if s.cmd == nil {
		if err := s.start(); err != nil {
			return false, err
		}
	}
	select {
	case <-s.exited:
		s.cmd = nil
		return false, nil
	default:
		return s.command("pg_isready", "-q", "-h", s.dir, "-p", strconv.Itoa(s.port)).Run() == nil, nil
	}
}

func (s *Server) start() error {
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	args := []string{"-D", s.data(), "-k", s.dir, "-h", "127.0.0.1", "-p", strconv.Itoa(s.port)}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	cmd := s.command("postgres", args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	exited := make(chan struct{})
	go func() {
		cmd.Wait()
		close(exited)
	}()
	s.cmd, s.exited = cmd, exited
	return nil
}

// Kill ends all processes of the server at once, as kill -9 does.
func (s *Server) Kill() {
	s.t.Helper()
	if err := s.kill(); err != nil {
		s.t.Error(err)
	}
}

func (s *Server) kill() (failed error) {
	if s.cmd == nil {
		return nil
	}
	for _, p := range append(children(s.cmd.Process.Pid), s.cmd.Process) {
		if err := p.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			failed = errors.Join(failed, fmt.Errorf("cannot kill a process of PostgreSQL: %w", err))
		}
	}
	<-s.exited
	s.cmd = nil
	return failed
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
