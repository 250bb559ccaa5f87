#!/bin/sh
# A Slurm of one node on this machine, from Debian's packages, to try `scree slurm` and to run test/cluster.
#
#   scripts/slurm-here.sh up       installs what is missing, starts it, and waits until a job has run
#   scripts/slurm-here.sh status   what runs
#   scripts/slurm-here.sh down     stops it, with its jobs, and removes its files; the packages stay
#
# Needs Debian and root. All ports are on the loopback interface. Its files are in one folder, but for
# /etc/slurm/slurm.conf, by which Slurm's own commands find it. Another slurm.conf is not touched.
set -eu

HOME_FOLDER=/var/lib/slurm-here
CONF=/etc/slurm/slurm.conf
MARK='# Made by scripts/slurm-here.sh of scree.'
CONTROLLER_PORT=16817
NODE_PORT=16818
SECONDS_TO_START=60

fail() {
  echo "slurm-here.sh: $1" >&2
  exit "${2:-1}"
}

is_ours() {
  [ ! -e "$CONF" ] || grep -qxF "$MARK" "$CONF"
}

# Daemons are known by the files that they write their numbers to, and by their names.
is_running() {
  [ -s "$HOME_FOLDER/$1.pid" ] && [ "$(cat "/proc/$(cat "$HOME_FOLDER/$1.pid" 2>/dev/null)/comm" 2>/dev/null)" = "$1" ]
}

stop_daemon() {
  is_running "$1" || return 0
  pid=$(cat "$HOME_FOLDER/$1.pid")
  kill "$pid"
  for _ in $(seq 100); do
    is_running "$1" || return 0
    sleep 0.1
  done
  kill -9 "$pid"
}

install_packages() {
  missing=
  for program in slurmctld slurmd sbatch munged; do
    command -v "$program" >/dev/null || missing=yes
  done
  [ -n "$missing" ] || return 0
  command -v apt-get >/dev/null || fail 'no apt-get found, expected Debian, or slurmctld, slurmd, sbatch and munged'
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  # Services of the packages are not started: these daemons have files and ports of their own.
  apt-get install -y -qq --no-install-recommends -o DPkg::Options::=--force-confold \
    slurmctld slurmd slurm-client munge >/dev/null
}

# Processes are tracked by /proc, and nothing is bound to cores: control groups are not to be had in most containers.
# Four jobs of one core each run side by side, whatever the machine has. A job that is requeued can start again after
# its credential has expired, so that is soon.
write_conf() {
  mkdir -p "$(dirname "$CONF")"
  cat >"$CONF" <<EOF
$MARK
ClusterName=here
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$CONTROLLER_PORT
SlurmdPort=$NODE_PORT
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$HOME_FOLDER/munge.socket,cred_expire=5
StateSaveLocation=$HOME_FOLDER/state
SlurmdSpoolDir=$HOME_FOLDER/spool
SlurmctldPidFile=$HOME_FOLDER/slurmctld.pid
SlurmdPidFile=$HOME_FOLDER/slurmd.pid
SlurmctldLogFile=$HOME_FOLDER/slurmctld.log
SlurmdLogFile=$HOME_FOLDER/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,bf_interval=2
ReturnToService=2
KillWait=5
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=here NodeHostname=$(hostname) NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=work Nodes=here Default=YES MaxTime=60 PriorityTier=1 State=UP
PartitionName=urgent Nodes=here MaxTime=60 PriorityTier=2 State=UP
EOF
}

start_daemons() {
  (umask 077 && mkdir -p "$HOME_FOLDER/state" "$HOME_FOLDER/spool")
  # The socket is for every user.
  chmod 755 "$HOME_FOLDER"
  if ! is_running munged; then
    key=$HOME_FOLDER/munge.key
    [ -s "$key" ] || (umask 077 && head -c 1024 /dev/urandom >"$key")
    munged --force --key-file="$key" --socket="$HOME_FOLDER/munge.socket" --pid-file="$HOME_FOLDER/munged.pid" \
      --log-file="$HOME_FOLDER/munged.log" --seed-file="$HOME_FOLDER/munged.seed"
  fi
  is_running slurmctld || slurmctld
  is_running slurmd || slurmd -N here
}

up() {
  is_ours || fail "$CONF is there already, expected a machine without Slurm" 2
  if is_running slurmctld && is_running slurmd && is_running munged && job_runs; then
    echo "it runs already"
    return 0
  fi
  install_packages
  write_conf
  start_daemons
  job_runs || fail "no job ran within $SECONDS_TO_START s: see the logs in $HOME_FOLDER"
  echo "it runs: partitions work and urgent, which preempts work; sinfo and squeue show it"
}

job_runs() {
  timeout "$SECONDS_TO_START" srun --immediate="$SECONDS_TO_START" --quiet true
}

down() {
  is_ours || fail "$CONF is not of this script: nothing was stopped" 2
  if is_running slurmctld; then
    scancel --user=root >/dev/null 2>&1 || true
    scancel --state=PENDING >/dev/null 2>&1 || true
    for _ in $(seq 100); do
      [ -n "$(squeue --noheader 2>/dev/null)" ] || break
      sleep 0.1
    done
  fi
  for daemon in slurmd slurmctld munged; do stop_daemon "$daemon"; done
  rm -rf "$HOME_FOLDER"
  if [ -e "$CONF" ]; then rm -f "$CONF"; fi
  echo "it is down, and its files are removed"
}

status() {
  for daemon in munged slurmctld slurmd; do
    if is_running "$daemon"; then echo "$daemon runs"; else echo "$daemon does not run"; fi
  done
  if is_running slurmctld; then sinfo; fi
}

[ "$#" -eq 1 ] || fail 'found no command, expected up, down or status' 2
case $1 in
  up | down)
    [ "$(id -u)" -eq 0 ] || fail 'found another user, expected root' 2
    "$1"
    ;;
  status) status ;;
  *) fail "found $1, expected up, down or status" 2 ;;
esac
