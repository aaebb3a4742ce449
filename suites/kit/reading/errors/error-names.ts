import { words } from '../words.ts';

/** Plain names (see `plainName`), each with its rank: the likeliest has the lowest. */
export type Ranks = ReadonlyMap<string, number>;

export function ranked(names: string): Ranks {
  return new Map(words(names).map((name, rank) => [name, rank]));
}

/** Names that an error's three items go by. */
export const CODE_NAMES: Ranks = ranked(
  'code errorcode errcode codename type errortype kind slug key reason name error title statuscode ' +
    'status errno',
);

export const MESSAGE_NAMES: Ranks = ranked(
  'message msg errormessage errormsg errmsg description errordescription detail details explanation ' +
    'text reason title error',
);

export const REQUEST_ID_NAMES: Ranks = ranked(
  'requestid xrequestid reqid requestuuid requestref requestreference traceid correlationid ' +
    'trackingid errorid incidentid eventid logid operationid invocationid transactionid activityid ' +
    'rayid rid cid',
);

/** Those of them that can mean nothing else. */
export const SURE_REQUEST_ID_NAMES: ReadonlySet<string> = new Set(
  words('requestid xrequestid reqid requestuuid requestref requestreference'),
);

/** These mean the request in the error object itself or at the root of the body, but not in what lies deeper. */
export const NEAR_REQUEST_ID_NAMES: Ranks = ranked('request trace uuid guid');

/** These may as well mean something else: they count where no other member could be the request ID. */
export const LOOSE_REQUEST_ID_NAMES: Ranks = ranked('id ref reference instance');

/** Names of members that are none of the three items, so that their presence leaves nothing in doubt. */
export const OTHER_NAMES: ReadonlySet<string> = new Set(
  words(
    'param parameter field property pointer path location loc line column position docurl docsurl ' +
      'documentation documentationurl helpurl help hint link href url timestamp time date createdat ' +
      'created retryafter severity level method object domain service version apiversion model stack ' +
      'target scope limit input given received expected actual value values allowed success ok',
  ),
);

/** Members that hold an error object and are named for it. */
export const ERROR_WRAPPERS: ReadonlySet<string> = new Set(
  words('error errors err fault failure exception problem'),
);

/** Members that may hold an error object, among other things. */
export const LOOSE_WRAPPERS: ReadonlySet<string> = new Set(
  words('detail details data result response body reason'),
);
