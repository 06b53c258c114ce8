package kernel

import (
	"bytes"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// slowTypes are file systems whose files come from another process or machine: an
// access waits for as long as that one does not answer. The names are those of
// /proc/PID/mountinfo.
var slowTypes = map[string]bool{
	"9p": true, "afs": true, "autofs": true, "beegfs": true, "ceph": true, "cifs": true, "coda": true, "fuse": true,
	"fuseblk": true, "gfs2": true, "gpfs": true, "lustre": true, "ncpfs": true, "nfs": true, "nfs4": true,
	"ocfs2":    true,
	"orangefs": true, "panfs": true, "prl_fs": true, "pvfs2": true, "smb3": true, "smbfs": true, "vboxsf": true,
	"virtiofs": true, "vmhgfs": true,
}

// madeTypes are file systems that the kernel makes up. What such a file says may depend
// on who reads it (/proc/self), and to read one may change something.
var madeTypes = map[string]bool{
	"binfmt_misc": true, "bpf": true, "cgroup": true, "cgroup2": true, "configfs": true, "debugfs": true,
	"efivarfs": true, "proc": true, "securityfs": true, "sysfs": true, "tracefs": true,
}

// magicTypes are the types of both kinds by the number that fstatfs(2) returns. Numbers
// without a constant here are those of the file system's own sources.
var magicTypes = map[uint32]string{
	unix.AFS_FS_MAGIC:        "afs",
	unix.AFS_SUPER_MAGIC:     "afs",
	unix.AUTOFS_SUPER_MAGIC:  "autofs",
	unix.BINFMTFS_MAGIC:      "binfmt_misc",
	unix.BPF_FS_MAGIC:        "bpf",
	unix.CEPH_SUPER_MAGIC:    "ceph",
	unix.CGROUP_SUPER_MAGIC:  "cgroup",
	unix.CGROUP2_SUPER_MAGIC: "cgroup2",
	unix.CIFS_SUPER_MAGIC:    "cifs",
	unix.CODA_SUPER_MAGIC:    "coda",
	unix.DEBUGFS_MAGIC:       "debugfs",
	unix.EFIVARFS_MAGIC:      "efivarfs",
	unix.FUSE_SUPER_MAGIC:    "fuse", // virtiofs and fuseblk too
	unix.NCP_SUPER_MAGIC:     "ncpfs",
	unix.NFS_SUPER_MAGIC:     "nfs",
	unix.OCFS2_SUPER_MAGIC:   "ocfs2",
	unix.PROC_SUPER_MAGIC:    "proc",
	unix.SECURITYFS_MAGIC:    "securityfs",
	unix.SMB_SUPER_MAGIC:     "smbfs",
	unix.SMB2_SUPER_MAGIC:    "smb3",
	unix.SYSFS_MAGIC:         "sysfs",
	unix.TRACEFS_MAGIC:       "tracefs",
	unix.V9FS_MAGIC:          "9p",
	0x01161970:               "gfs2",     // GFS2_MAGIC
	0x0bd00bd0:               "lustre",   // LL_SUPER_MAGIC
	0x19830326:               "beegfs",   // BEEGFS_MAGIC
	0x20030528:               "orangefs", // ORANGEFS_SUPER_MAGIC
	0x47504653:               "gpfs",     // GPFS_SUPER_MAGIC
	0x62656570:               "configfs", // CONFIGFS_MAGIC
	0x786f4256:               "vboxsf",   // VBOXSF_SUPER_MAGIC
	0x7c7c6673:               "prl_fs",   // PRLFS_MAGIC
	0xaad7aaea:               "panfs",    // PANFS_SUPER_MAGIC
	0xbacbacbc:               "vmhgfs",   // VMHGFS_MAGIC
}

// isSlow recognises a type whose server may leave us waiting: "fuse.sshfs" is one of fuse.
func isSlow(fstype string) bool {
	base, _, _ := strings.Cut(fstype, ".")
	return slowTypes[base]
}

// mountKey is one mount for as long as it is mounted.
type mountKey struct {
	id           uint64
	major, minor uint32
}

// mountType is the type of a mount that the process sees, without asking its server.
// It is empty where no table of mounts has the mount, as above the root of a process that
// changed its root inside its namespace.
func (r *Reader) mountType(pid int, key mountKey) string {
	if known, ok := r.mountTypes.Load(key); ok {
		return known.(string)
	}
	theirs, _ := r.ReadFile(pid, "mountinfo")
	fstype := typeIn(theirs, key.id)
	if fstype == "" {
		fstype = typeIn(r.ownMounts(), key.id)
	}
	if fstype != "" {
		r.mountTypes.Store(key, fstype)
	}
	return fstype
}

// typeIn finds the type of a mount by its id:
//
//	36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
func typeIn(mountinfo []byte, id uint64) string {
	begin := strconv.AppendUint(nil, id, 10)
	begin = append(begin, ' ')
	for line := range bytes.Lines(mountinfo) {
		if !bytes.HasPrefix(line, begin) {
			continue
		}
		_, rest, _ := bytes.Cut(line, []byte(" - "))
		fstype, _, _ := bytes.Cut(rest, []byte(" "))
		return string(fstype)
	}
	return ""
}

// typeOf asks the file system of an open file itself, and is empty for those of neither
// kind above. A server that hangs is waited for.
func typeOf(fd int) (string, error) {
	var fs unix.Statfs_t
	if err := unix.Fstatfs(fd, &fs); err != nil {
		return "", err
	}
	return magicTypes[uint32(fs.Type)], nil
}
