// Package jetstream keeps the sessions of a fleet in NATS JetStream. It is the store for many machines:
// several servers have a copy of each record, and several processes may have the store open.
//
//	store, err := jetstream.Open(ctx, "nats://n1:4222,n2:4222,n3:4222/orders", jetstream.Options{})
//	…
//	defer store.Close()
//	f, err := fleet.New(store, fleet.Config{}, …)
//
// It is a client. The servers are the user's: three nodes, version 2.12 or later, which sync each write:
//
//	jetstream { store_dir: /var/lib/nats, sync_interval: always }
//
// [Open] describes the URL, and how it finds out whether the servers sync. With servers before 2.12, which
// have no atomic batches, many commits at the same time cost about twice as much, and nothing else differs.
//
// # How it works
//
// The store NAME has the streams NAME_0, NAME_1 and so on, its shards, and NAME_files. The hash of a key
// tells the shard. A record is the last message of its subject, its revision is the sequence of the
// message, and a commit is a message that the server accepts if the last sequence of the subject is the
// one that the change expects. The newest entries of a session's log are in its record, and older ones in
// messages to which it refers, so one message is one commit, and no transaction is needed. A record that
// is deleted leaves a tombstone for a day, so that nothing that is on its way brings it back.
//
// Commits of a shard that come at the same time share an atomic batch. If one of them has lost, the server
// refuses the batch, and each is sent by itself.
//
// Due, Pending and List are answered from an index in memory, about 300 bytes for each session. Open makes
// it from the headers of all records; then an ordered consumer of each stream delivers the changes of
// other processes, within milliseconds if nothing fails. What this process has committed is in it when
// Commit returns. Timers do not use the message schedules of the server, which may fire twice and some
// 100 ms late: the fleet sleeps until what Due says, and a due time is a part of the record.
//
// # Failures
//
// If a node fails, commits to the shards that it led wait until there is another leader, usually for 4 to
// 9 seconds. If a commit has an unclear end because the answer did not come, it is sent again, for 20
// seconds, until the server says whether the first one was stored. A commit that creates a record is sent
// until that is clear, however long there is no leader: otherwise it might happen at any later time.
//
// A refusal is not believed blindly. A node that was cut off leads its streams for some more seconds, and
// when it is back, it and the new leader both answer. So a refusal counts only if it names a later
// sequence than the expected one, and each record tells which writes it has replaced. Reads have one gap:
// Load may get the state from before the cut from such a node, if this process does not know a later one. A
// commit that depends on it conflicts.
//
// A record or file must fit into a message of the server: see [ErrTooLarge]. What a fleet allows by default
// fits if max_payload is 2 MB.
//
// # What is lost, and what notices it
//
// With three replicas the loss of one node or its disk loses nothing, nor does a power failure of all, if
// the servers sync. If two of three disks are lost, what was acknowledged is lost. The last sequence of
// each shard is noted once a second and by Close in the stream of the files, and in the local file of
// [Options].Watermark: Open returns [fleet.ErrLost] for a stream that is missing or ends before it. It
// counts changes, not events, and does not know the last second if all processes were killed. If nothing
// was stored after the last note, Open also compares a sum of all records, and returns [fleet.ErrCorrupt] if
// one is missing.
//
// A stream may lose its end while processes have it open. The first of them that writes gets a sequence
// that was taken: all its calls fail with [fleet.ErrLost] from then on, and so does each later Open, by a
// note in the stream of the files.
//
// Open reads the notes before the streams, so that others may write meanwhile. What looks like a loss is
// read again for 20 seconds, and believed only if the leader hears from a majority.
package jetstream
