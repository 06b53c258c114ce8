package kernel

import (
	"io/fs"

	"github.com/shirou/gopsutil/v3/process"
)

// handle is gopsutil's handle of a process. It is not looked up: each call reads what it needs.
func handle(pid int) *process.Process { return &process.Process{Pid: int32(pid)} }

// PIDs lists the processes in ascending order; those that end meanwhile may or
// may not be among them.
func (r *Reader) PIDs() ([]int, error) {
	all, err := process.PidsWithContext(r.host())
	pids := make([]int, 0, len(all))
	for _, pid := range all {
		if pid > 0 {
			pids = append(pids, int(pid))
		}
	}
	return pids, err
}

// commandLine reads the arguments of a process, its program first. The read may hang: they
// lie in the memory of the process.
func (r *Reader) commandLine(pid int) ([]string, error) {
	args, err := handle(pid).CmdlineSliceWithContext(r.host())
	return args, gone(err)
}

// environment reads the variables of a process, "NAME=VALUE" each, as it was started with
// them. The read may hang, as that of commandLine.
func (r *Reader) environment(pid int) ([]string, error) {
	variables, err := handle(pid).EnvironWithContext(r.host())
	return variables, gone(err)
}

// mostDescriptors bounds for how many descriptors of a process it is read what they are, 3 µs each.
const mostDescriptors = 10_000

// openFiles are the descriptors of a process and what each is, as far as we may read them;
// none where there are more than most, for gopsutil reads them all.
func (r *Reader) openFiles(pid, most int) []process.OpenFilesStat {
	if n, err := r.OpenFiles(pid); err != nil || n > most {
		return nil
	}
	files, err := handle(pid).OpenFilesWithContext(r.host())
	if err != nil {
		return nil
	}
	return files
}

// OpenFiles counts the open descriptors of a process. Since Linux 6.2 the size of the
// directory is their number; before, gopsutil reads its entries, 1 ms for some thousands.
func (r *Reader) OpenFiles(pid int) (int, error) {
	path := r.Path(pid, "fd")
	_, size, err := folderOf(path)
	if err != nil {
		return 0, &fs.PathError{Op: "stat", Path: path, Err: gone(err)}
	}
	if size > 0 && r.Root == "/proc" {
		return int(size), nil
	}
	n, err := handle(pid).NumFDsWithContext(r.host())
	return int(n), err
}
