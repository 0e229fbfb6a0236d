package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// writeAt gives a test the function with which bbolt writes to its file. bbolt has it for its own tests.
func writeAt(t testing.TB, s *Store) *func(b []byte, off int64) (int, error) {
	ops := reflect.ValueOf(s.db).Elem().FieldByName("ops")
	if !ops.IsValid() || ops.FieldByName("writeAt").Type() != reflect.TypeFor[func([]byte, int64) (int, error)]() {
		t.Fatal("bbolt.DB has no field ops.writeAt any more: find another way to see what it writes")
	}
	return (*func([]byte, int64) (int, error))(unsafe.Pointer(ops.FieldByName("writeAt").UnsafeAddr()))
}

var pageSize = int64(os.Getpagesize()) // bbolt's

// memDir returns a folder that goes away after the test, in memory where that is possible: these tests sync
// thousands of times, and have no use for it.
func memDir(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "store")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// A script makes random changes to a store, of all kinds and sizes. It knows the records that must be
// there, as dump has them.
type script struct {
	rnd  *rand.Rand
	s    *Store
	last map[string]fleet.Record

	changes []fleet.Change // of the last step
}

func newScript(s *Store, seed uint64) *script {
	return &script{rnd: rand.New(rand.NewPCG(seed, 0)), s: s, last: map[string]fleet.Record{}}
}

// change returns a random change.
func (sc *script) change() fleet.Change {
	key := fmt.Sprint("session-", sc.rnd.IntN(60))
	old := sc.last[key]
	c := fleet.Change{Key: key, Old: old.Revision}
	if c.Old != 0 && sc.rnd.IntN(10) == 0 {
		return c
	}
	size := []int{10, 300, 1500, 9000}[sc.rnd.IntN(4)]
	c.New = &fleet.Record{
		Key: key, Chart: "chart", Hash: "hash", Status: "running", Accepted: old.Accepted + 1, Pending: sc.rnd.IntN(2) == 0,
		Wake: time.Unix(int64(sc.rnd.IntN(1000)), 0).UTC(), Body: []byte(strings.Repeat(string(rune('a'+sc.rnd.IntN(26))), size)),
	}
	if sc.rnd.IntN(2) == 0 {
		c.Log, c.KeepLog = []byte(strings.Repeat("log", sc.rnd.IntN(100))), 5
	}
	return c
}

// step commits a group of random changes and returns the error, with which all must have failed that did
// not succeed.
func (sc *script) step() error {
	changes := []fleet.Change{sc.change()}
	defer func() { sc.changes = changes }()
	for range sc.rnd.IntN(4) {
		c := sc.change()
		if !slices.ContainsFunc(changes, func(other fleet.Change) bool { return other.Key == c.Key }) {
			changes = append(changes, c)
		}
	}
	for i, err := range sc.s.Commit(context.Background(), changes) {
		if err != nil {
			return err
		}
		if c := changes[i]; c.New == nil {
			delete(sc.last, c.Key)
		} else {
			sc.last[c.Key] = *c.New
		}
	}
	return nil
}

// relearn takes over what the store has, after a commit whose outcome is unknown.
func (sc *script) relearn(t testing.TB) {
	t.Helper()
	clear(sc.last)
	list, err := sc.s.List(t.Context(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range list {
		loaded, err := sc.s.Load(t.Context(), rec.Key)
		if err != nil {
			t.Fatal(err)
		}
		sc.last[rec.Key] = *loaded
	}
}

// dump returns all that a store has, item by item. An item that cannot be read is left out, and its
// error returned.
func dump(ctx context.Context, s fleet.Store, keys []string) (items map[string]string, errs []error) {
	items = map[string]string{}
	note := func(name, value string, err error) {
		if err == nil {
			items[name] = value
		} else if !errors.Is(err, fleet.ErrNotFound) {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	text := func(rec *fleet.Record) string {
		return fmt.Sprintln(rec.Key, rec.Revision, rec.Chart, rec.Hash, rec.Status, rec.Wake.UnixNano(), rec.Pending, rec.Accepted, string(rec.Body))
	}
	for _, key := range keys {
		if rec, err := s.Load(ctx, key); err != nil {
			note("record "+key, "", err)
		} else {
			note("record "+key, text(rec), nil)
		}
		entries, err := s.Log(ctx, key, 0, 0)
		var log strings.Builder
		for _, e := range entries {
			fmt.Fprintln(&log, e.Revision, string(e.Body))
		}
		note("log "+key, log.String(), err)
	}
	list, err := s.List(ctx, "", 0)
	var listed strings.Builder
	for _, rec := range list {
		listed.WriteString(text(rec))
	}
	note("list", listed.String(), err)
	due, next, err := s.Due(ctx, time.Unix(500, 0), 0)
	note("due", fmt.Sprint(due, next), err)
	pending, err := s.Pending(ctx, "", 0)
	note("pending", fmt.Sprint(pending), err)
	files, err := s.Files(ctx, "")
	note("files", fmt.Sprint(files), err)
	for _, name := range []string{"chart-1", "chart-2"} {
		data, err := s.File(ctx, name)
		note("file "+name, string(data), err)
	}
	return items, errs
}

var allKeys = func() (keys []string) {
	for i := range 60 {
		keys = append(keys, fmt.Sprint("session-", i))
	}
	return keys
}()

// mustDump is dump of a store that is in order.
func mustDump(t testing.TB, s fleet.Store) map[string]string {
	t.Helper()
	items, errs := dump(t.Context(), s, allKeys)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return items
}

// filled makes a store of some hundred pages and closes it. It returns the folder and what it has.
func filled(t testing.TB) (dir string, want map[string]string) {
	dir = memDir(t)
	s := mustOpen(t, dir)
	for _, name := range []string{"chart-1", "chart-2"} {
		if err := s.PutFile(t.Context(), name, []byte(strings.Repeat(name, 700))); err != nil {
			t.Fatal(err)
		}
	}
	sc := newScript(s, 1)
	for range 150 {
		if err := sc.step(); err != nil {
			t.Fatal(err)
		}
	}
	want = mustDump(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, want
}

// named reports whether an error is one by which a damaged store may refuse.
func named(err error) bool { return errors.Is(err, fleet.ErrCorrupt) || errors.Is(err, fleet.ErrLost) }

// difference names an item in which two dumps differ.
func difference(got, want map[string]string) string {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			return fmt.Sprintf("%s is %.200q, want %.200q", name, got[name], want[name])
		}
	}
	if len(got) != len(want) {
		return fmt.Sprintf("there are %d items, want %d", len(got), len(want))
	}
	return ""
}

// A store of which a bit is flipped while it is closed opens with all that it had, or is refused.
func TestFlippedBitIsRefusedOrHarmless(t *testing.T) {
	dir, want := filled(t)
	path := filepath.Join(dir, DatabaseName)
	report, err := Check(dir)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 0))
	type place struct {
		off int64
		bit byte
	}
	var places []place
	for range 1000 {
		places = append(places, place{rnd.Int64N(report.Size), 1 << rnd.IntN(8)})
	}
	// What is small and matters most: how many elements a page has, and which pages are below it.
	for page := int64(2); page < report.Size/pageSize; page++ {
		b := image[page*pageSize:]
		for bit := byte(1); bit != 0; bit <<= 1 {
			places = append(places, place{page*pageSize + 10, bit})
			for i := range int64(native.Uint16(b[10:])) {
				if native.Uint16(b[8:]) == branchPage {
					places = append(places, place{page*pageSize + pageHeader + i*element + 8, bit})
				}
			}
		}
	}
	refused := map[bool]int{}
	for _, p := range places {
		off, bit := p.off, p.bit
		write := func(v byte) {
			if _, err := file.WriteAt([]byte{v}, off); err != nil {
				t.Fatal(err)
			}
		}
		write(image[off] ^ bit)
		s, err := Open(dir)
		refused[err != nil]++
		if err != nil {
			if !named(err) {
				t.Errorf("bit %#x of byte %d (page %d): the error is %q, want ErrCorrupt or ErrLost", bit, off, off/pageSize, err)
			}
		} else {
			if diff := difference(mustDump(t, s), want); diff != "" {
				t.Errorf("bit %#x of byte %d (page %d) is accepted, but %s", bit, off, off/pageSize, diff)
			}
			s.Close()
		}
		write(image[off])
	}
	t.Logf("of %d flipped bits in %d pages %d are refused, %d are harmless", len(places), report.Size/pageSize, refused[true], refused[false])
	if refused[true] < 500 || refused[false] == 0 {
		t.Errorf("of %d flipped bits %d are refused and %d are harmless: that cannot be right", len(places), refused[true], refused[false])
	}
	s := mustOpen(t, dir)
	defer s.Close()
	if diff := difference(mustDump(t, s), want); diff != "" {
		t.Error(diff)
	}
}

// Items that are whole but out of order, where bbolt does not find them, are refused.
func TestItemsOutOfOrderAreRefused(t *testing.T) {
	dir, _ := filled(t)
	path := filepath.Join(dir, DatabaseName)
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Check(dir)
	if err != nil {
		t.Fatal(err)
	}
	image = image[:report.Size]
	refused := 0
	for page := 2 * pageSize; page+pageSize <= int64(len(image)); page += pageSize {
		if native.Uint16(image[page+8:]) != leafPage || native.Uint16(image[page+10:]) < 2 {
			continue
		}
		swapped := slices.Clone(image)
		first, second := swapped[page+pageHeader:][:element], swapped[page+pageHeader+element:][:element]
		for i := range first {
			first[i], second[i] = second[i], first[i]
		}
		// A position counts from the header of its element.
		native.PutUint32(first[4:], native.Uint32(first[4:])+element)
		native.PutUint32(second[4:], native.Uint32(second[4:])-element)
		if err := os.WriteFile(path, swapped, 0o600); err != nil {
			t.Fatal(err)
		}
		switch _, err := Check(dir); {
		case err == nil: // the page is free
		case errors.Is(err, fleet.ErrCorrupt) && strings.Contains(err.Error(), "is out of order"):
			refused++
		default:
			t.Errorf("page %d: Check returns %v, want that an element is out of order", page/pageSize, err)
		}
	}
	if refused == 0 {
		t.Error("no page is refused")
	}
}

// When a bit flips while the store is open, each answer is right or an error.
//
// The exception is a page number in a branch, which can end the process, but not give a wrong answer.
func TestFlippedBitOfAnOpenStoreIsAnError(t *testing.T) {
	dir, want := filled(t)
	s := mustOpen(t, dir)
	defer s.Close()
	report, err := Check(copyDir(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	write := *writeAt(t, s)
	image, err := os.ReadFile(filepath.Join(dir, DatabaseName))
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(4, 0))
	failures := 0
	for i := range 1000 {
		off := 2*pageSize + rnd.Int64N(report.Size-2*pageSize)
		if i%4 == 0 {
			off = off/pageSize*pageSize + rnd.Int64N(200)
		}
		if page := image[off/pageSize*pageSize:]; native.Uint16(page[8:]) == branchPage && off%pageSize < pageHeader+element*int64(native.Uint16(page[10:])) && off%element >= 8 {
			continue // bbolt follows pages that form a loop until its stack overflows
		}
		bit := byte(1) << rnd.IntN(8)
		if _, err := write([]byte{image[off] ^ bit}, off); err != nil {
			t.Fatal(err)
		}
		got, errs := dump(t.Context(), s, allKeys)
		if failures += len(errs); len(errs) == 0 {
			if diff := difference(got, want); diff != "" {
				t.Errorf("bit %#x of byte %d (page %d): %s", bit, off, off/pageSize, diff)
			}
		}
		for name, value := range got {
			if value != want[name] {
				t.Errorf("bit %#x of byte %d (page %d): %s is %.100q, want %.100q", bit, off, off/pageSize, name, value, want[name])
			}
		}
		for _, err := range errs {
			if !named(err) {
				t.Errorf("bit %#x of byte %d (page %d): %v, want ErrCorrupt", bit, off, off/pageSize, err)
			}
		}
		if _, err := write(image[off:off+1], off); err != nil {
			t.Fatal(err)
		}
	}
	if failures < 100 {
		t.Errorf("1000 flipped bits cause %d errors: too few to tell", failures)
	}
	if diff := difference(mustDump(t, s), want); diff != "" {
		t.Error(diff)
	}
}

// copyDir copies the files of a store.
func copyDir(t testing.TB, dir string) string {
	to := memDir(t)
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// A file that is cut off is refused.
func TestTruncatedStoreIsRefused(t *testing.T) {
	dir, want := filled(t)
	path := filepath.Join(dir, DatabaseName)
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Check(dir)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(5, 0))
	refused := 0
	for range 100 {
		size := rnd.Int64N(report.Size)
		if err := os.WriteFile(path, image[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(dir)
		if err == nil { // what was cut off was not in use
			if diff := difference(mustDump(t, s), want); diff != "" {
				t.Errorf("cut at byte %d: %s", size, diff)
			}
			s.Close()
			continue
		}
		if refused++; !named(err) {
			t.Errorf("cut at byte %d: the error is %q, want ErrCorrupt or ErrLost", size, err)
		}
	}
	if refused < 50 {
		t.Errorf("of 100 truncated stores %d are refused", refused)
	}
}

// A written is what bbolt wrote at once.
type written struct {
	off  int64
	data []byte
}

// A power cut leaves of the writes since the last sync any, whole or in part. Whenever it comes, a store
// has each commit that was acknowledged, and all or nothing of the one that was not.
func TestPowerCutAtEachSyncPoint(t *testing.T) {
	dir := memDir(t)
	s := mustOpen(t, dir)
	path, markPath := filepath.Join(dir, DatabaseName), filepath.Join(dir, watermarkName)
	image, err := os.ReadFile(path) // what is on the disk for certain
	if err != nil {
		t.Fatal(err)
	}
	report, err := Check(copyDir(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	image = image[:report.Size]
	var writes []written // of the transaction under way
	original := *writeAt(t, s)
	*writeAt(t, s) = func(b []byte, off int64) (int, error) {
		writes = append(writes, written{off, slices.Clone(b)})
		return original(b, off)
	}
	rnd := rand.New(rand.NewPCG(6, 0))
	crash := memDir(t)
	// try opens what a cut has left, and returns its contents.
	try := func(image, mark []byte) map[string]string {
		t.Helper()
		for name, data := range map[string][]byte{DatabaseName: image, watermarkName: mark} {
			if err := os.WriteFile(filepath.Join(crash, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open(crash)
		if err != nil {
			t.Fatalf("after a power cut: %v", err)
		}
		defer s.Close()
		return mustDump(t, s)
	}
	// apply returns an image to which writes have come: all, or any of them, perhaps torn.
	apply := func(image []byte, writes []written, some bool) []byte {
		image = slices.Clone(image)
		for _, w := range writes {
			data := w.data
			if some {
				switch rnd.IntN(3) {
				case 0:
					continue
				case 1:
					data = data[:rnd.IntN(len(data)/512+1)*512]
				}
			}
			if end := int(w.off) + len(data); end > len(image) {
				image = append(image, make([]byte, end-len(image))...)
			}
			copy(image[w.off:], data)
		}
		return image
	}
	sc := newScript(s, 7)
	cuts := 0
	before := mustDump(t, s)
	for step := range 150 {
		mark, err := os.ReadFile(markPath)
		if err != nil {
			t.Fatal(err)
		}
		writes = nil
		if err := sc.step(); err != nil {
			t.Fatal(err)
		}
		after := mustDump(t, s)
		// bbolt writes the pages and syncs; then it writes a meta page and syncs.
		last := len(writes) - 1
		if last < 1 || writes[last].off > pageSize || slices.ContainsFunc(writes[:last], func(w written) bool { return w.off <= pageSize }) {
			t.Fatalf("step %d: a transaction does not end with its meta page alone", step)
		}
		pages := apply(image, writes[:last], false)
		for range 3 {
			if diff := difference(try(apply(image, writes[:last], true), mark), before); diff != "" {
				t.Fatalf("step %d, cut before the first sync: %s", step, diff)
			}
			cuts++
		}
		if diff := difference(try(pages, mark), before); diff != "" {
			t.Fatalf("step %d, cut after the first sync: %s", step, diff)
		}
		torn := writes[last]
		torn.data = torn.data[:1+rnd.IntN(pageHeader+metaSize-1)]
		image = apply(pages, writes[last:], false)
		// What the page had before may by chance be what is missing, such as the last byte of the checksum.
		want, left := before, apply(pages, []written{torn}, false)
		if bytes.Equal(left, image) {
			want = after
		}
		if diff := difference(try(left, mark), want); diff != "" {
			t.Fatalf("step %d, cut in the meta page: %s", step, diff)
		}
		if diff := difference(try(image, mark), after); diff != "" {
			t.Fatalf("step %d, cut after the second sync: %s", step, diff)
		}
		if mark, err = os.ReadFile(markPath); err != nil {
			t.Fatal(err)
		}
		if diff := difference(try(image, mark), after); diff != "" {
			t.Fatalf("step %d, cut after the watermark: %s", step, diff)
		}
		cuts += 4
		before = after
	}
	t.Logf("%d power cuts", cuts)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// When the disk is full or fails, whichever write it is, the commit fails as a whole and the store
// continues when the disk is well again.
func TestFailingDiskLeavesStoreUsable(t *testing.T) {
	dir := memDir(t)
	s := mustOpen(t, dir)
	sc := newScript(s, 8)
	original := *writeAt(t, s)
	failed, unknown := 0, 0
	for step := range 300 {
		before := mustDump(t, s)
		errno := []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EROFS}[step%3]
		countdown, part := sc.rnd.IntN(8), sc.rnd.IntN(2)
		*writeAt(t, s) = func(b []byte, off int64) (int, error) {
			if countdown--; countdown >= 0 {
				return original(b, off)
			}
			n := 0
			if part == 1 {
				n, _ = original(b[:len(b)/2/512*512], off)
			}
			return n, &os.PathError{Op: "write", Path: "sessions.db", Err: errno}
		}
		err := sc.step()
		*writeAt(t, s) = original
		if err == nil {
			continue
		}
		if failed++; !errors.Is(err, errno) {
			t.Fatalf("step %d: the error is %q, want %q", step, err, errno)
		}
		after := mustDump(t, s)
		happened := difference(after, before) != ""
		sc.relearn(t)
		for _, c := range sc.changes {
			rec, exists := sc.last[c.Key]
			if happened && (exists != (c.New != nil) || exists && !bytes.Equal(rec.Body, c.New.Body)) {
				t.Fatalf("step %d: the commit that failed has changed something, but not %q", step, c.Key)
			}
		}
		if happened {
			unknown++
		}
		if step%10 == 0 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = mustOpen(t, dir)
			sc.s = s
			original = *writeAt(t, s)
			if diff := difference(mustDump(t, s), after); diff != "" {
				t.Fatalf("step %d: after a failed commit and a restart %s", step, diff)
			}
		}
	}
	t.Logf("of 300 commits %d failed, of which %d happened", failed, unknown)
	if failed < 100 || unknown == 0 {
		t.Errorf("%d of 300 commits failed: too few to tell", failed)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, dir).Close()
}
